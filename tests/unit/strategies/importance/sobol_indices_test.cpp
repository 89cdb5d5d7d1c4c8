#include "strategies/importance/sobol_indices.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

using namespace netsettle::strategies;

namespace {

/// Ishigami & Homma 1990 with a = 7, b = 0.1 on [-π, π]³.
double ishigami(const CubePoint& point) {
  const auto x = [&](std::size_t i) { return std::numbers::pi * (2 * point[i] - 1); };
  return std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) + 0.1 * std::pow(x(2), 4) * std::sin(x(0));
}

template <typename Function>
std::vector<double> values_of(const SaltelliDesign& design, Function function) {
  std::vector<double> values;
  for (const CubePoint& point : design.points()) values.push_back(function(point));
  return values;
}

}  // namespace

TEST_CASE("the indices of Ishigami's function are the known ones") {
  // First and total by the closed form (Saltelli et al. 2008, chapter 4).
  const SaltelliDesign design(3, 4096, 7);
  CHECK(design.points().size() == 4096 * 5);
  const auto indices = design.indices(values_of(design, ishigami)).value();
  const std::vector<double> first = {0.3139, 0.4424, 0.0}, total = {0.5576, 0.4424, 0.2437};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(indices.first[i] == Approx(first[i]).margin(0.02));
    CHECK(indices.total[i] == Approx(total[i]).margin(0.02));
  }
}

TEST_CASE("a sum shares its variance by the squares of its coefficients, without interactions") {
  const SaltelliDesign design(3, 512, 3);
  const auto indices = design.indices(values_of(design, [](const CubePoint& x) { return 1000 + 2 * x[0] + x[1]; })).value();
  CHECK(indices.first[0] == Approx(0.8).margin(0.01));
  CHECK(indices.first[1] == Approx(0.2).margin(0.01));
  CHECK(indices.total[0] == Approx(0.8).margin(0.01));
  CHECK(indices.total[2] == 0);
  CHECK(indices.first[2] == 0);
}

TEST_CASE("points at which the function is not defined are left out") {
  const SaltelliDesign design(2, 512, 3);
  const auto indices =
      design.indices(values_of(design, [](const CubePoint& x) { return x[1] > 0.9 ? std::numeric_limits<double>::quiet_NaN() : x[0]; }))
          .value();
  CHECK(indices.first[0] == Approx(1).margin(0.05));
  CHECK(indices.total[1] == 0);
}

TEST_CASE("a function that does not vary, or is nowhere defined, has no indices") {
  const SaltelliDesign design(2, 64, 3);
  CHECK_FALSE(design.indices(values_of(design, [](const CubePoint&) { return 4.0; })));
  CHECK_FALSE(design.indices(values_of(design, [](const CubePoint&) { return std::numeric_limits<double>::quiet_NaN(); })));
}
