#include "strategies/search/evolution.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace netsettle::strategies;

namespace {

std::optional<UnitCube::Cell> no_cells(std::size_t, double) { return std::nullopt; }

/// Ten equal cells on the first axis, none on others.
std::optional<UnitCube::Cell> tenths(std::size_t axis, double place) {
  if (axis != 0) return std::nullopt;
  const double low = std::min(std::floor(place * 10), 9.0) / 10;
  return UnitCube::Cell{.low = low, .high = low + 0.1};
}

template <typename Cost>
void evolve(Evolution& evolution, int generations, std::size_t dimensions, const Cost& cost) {
  Random random(4);
  for (int generation = 0; generation < generations; ++generation) {
    std::vector<Evolution::Offspring> offspring;
    for (int i = 0; i < default_offspring(dimensions); ++i) offspring.push_back(evolution.sample(random));
    std::ranges::sort(offspring, {}, [&](const Evolution::Offspring& each) { return cost(each.point); });
    evolution.update(offspring);
  }
}

}  // namespace

TEST_CASE("the number of offspring is the tutorial's") {
  CHECK(default_offspring(1) == 4);
  CHECK(default_offspring(4) == 8);
  CHECK(default_offspring(10) == 10);
  CHECK(default_offspring(20) == 12);
}

TEST_CASE("the distribution finds the bottom of a narrow, turned valley") {
  Evolution evolution(CubePoint{0.5, 0.5, 0.5}, no_cells);
  const auto cost = [](const CubePoint& x) {
    const double a = x[0] - 0.3, b = x[1] - 0.7, c = x[2] - 0.4;
    return (a + b) * (a + b) + 1000 * (a - b) * (a - b) + 10 * c * c;
  };
  evolve(evolution, 80, 3, cost);
  CHECK(evolution.mean()(0) == Approx(0.3).margin(0.001));
  CHECK(evolution.mean()(1) == Approx(0.7).margin(0.001));
  CHECK(evolution.mean()(2) == Approx(0.4).margin(0.001));
}

TEST_CASE("the mean stays within the cube where the best lies at its border") {
  Evolution evolution(CubePoint{0.5, 0.5}, no_cells);
  evolve(evolution, 60, 2, [](const CubePoint& x) { return x[0] - x[1]; });
  CHECK(evolution.mean()(0) == Approx(0).margin(0.02));
  CHECK(evolution.mean()(1) == Approx(1).margin(0.02));
}

TEST_CASE("a discrete axis keeps its chance of another value, however narrow the distribution gets") {
  Evolution evolution(CubePoint{0.55, 0.5}, tenths);
  // Nothing on the first axis matters within its cell, and the second one pulls the distribution together.
  evolve(evolution, 150, 2, [](const CubePoint& x) { return std::abs(std::floor(x[0] * 10) - 5) + (x[1] - 0.2) * (x[1] - 0.2); });
  CHECK(evolution.spread(1) < 1e-3);
  CHECK(evolution.spread(0) > 0.01);
  Random random(8);
  int elsewhere = 0;
  for (int i = 0; i < 4000; ++i) {
    const double place = evolution.sample(random).point[0];
    elsewhere += place < 0.5 || place >= 0.6 ? 1 : 0;
  }
  CHECK(elsewhere >= 4000 / (2 * default_offspring(2)) / 2);  // the margin is 1 / (dimensions * offspring)
}

TEST_CASE("at the end of a discrete axis the mean is kept close enough to the border") {
  Evolution evolution(CubePoint{0.05, 0.5}, tenths);
  evolve(evolution, 150, 2, [](const CubePoint& x) { return std::floor(x[0] * 10) + (x[1] - 0.2) * (x[1] - 0.2); });
  const double tail = (0.1 - evolution.mean()(0)) / evolution.spread(0);
  CHECK(tail > 0);
  CHECK(tail < 1.3830);  // SciPy 1.10.1: norm.isf(1 / 12) = 1.382994; two dimensions, six offspring
}

TEST_CASE("fewer than two measured offspring change nothing") {
  Evolution evolution(CubePoint{0.4, 0.5}, no_cells);
  Random random(1);
  evolution.update({evolution.sample(random)});
  CHECK(evolution.mean()(0) == 0.4);
  CHECK(evolution.sigma() == kFirstSpread);
}
