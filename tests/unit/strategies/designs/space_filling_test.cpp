#include "strategies/designs/space_filling.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// Whether each of 2^bits equal boxes (2^split by 2^(bits - split)) holds one of 2^bits points.
bool is_net(const std::vector<CubePoint>& points, int bits, int split) {
  std::set<std::pair<int, int>> boxes;
  for (const CubePoint& point : points)
    boxes.insert({static_cast<int>(std::ldexp(point[0], split)), static_cast<int>(std::ldexp(point[1], bits - split))});
  return std::ssize(boxes) == 1 << bits;
}

}  // namespace

TEST_CASE("the Sobol sequence is that of Joe and Kuo") {
  // Points 2 to 8 in five dimensions from SciPy 1.10.1, qmc.Sobol(d=5, scramble=False).
  const std::vector<CubePoint> known{{0.5, 0.5, 0.5, 0.5, 0.5},           {0.75, 0.25, 0.25, 0.25, 0.75},
                                     {0.25, 0.75, 0.75, 0.75, 0.25},      {0.375, 0.375, 0.625, 0.875, 0.375},
                                     {0.875, 0.875, 0.125, 0.375, 0.875}, {0.625, 0.125, 0.875, 0.625, 0.625},
                                     {0.125, 0.625, 0.375, 0.125, 0.125}};
  boost::random::sobol_engine<std::uint32_t, 32> engine(5);
  for (const CubePoint& point : known)
    for (const double coordinate : point) CHECK(static_cast<double>(engine()) / 4294967296.0 == coordinate);
}

TEST_CASE("a scrambled Sobol sequence stays a net in two dimensions, and another seed gives another one") {
  ScrambledSobol sequence(2, 7), other(2, 8);
  std::vector<CubePoint> points;
  for (int i = 0; i < 64; ++i) points.push_back(sequence.next());
  for (int split = 0; split <= 6; ++split) CHECK(is_net(points, 6, split));
  CHECK(other.next() != points[0]);
}

TEST_CASE("scrambled points are uniform: their mean and variance over many seeds") {
  double sum = 0, squares = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const double x = ScrambledSobol(3, seed).next()[2];
    sum += x;
    squares += x * x;
  }
  CHECK(sum / 2000 == Approx(0.5).margin(0.02));
  CHECK(squares / 2000 - sum * sum / 2000 / 2000 == Approx(1.0 / 12).margin(0.005));
}

TEST_CASE("a Latin hypercube has one point in each part of each axis") {
  Random random(5);
  const auto points = latin_hypercube(17, 4, random);
  for (std::size_t axis = 0; axis < 4; ++axis) {
    std::set<int> parts;
    for (const CubePoint& point : points) parts.insert(static_cast<int>(17 * point[axis]));
    CHECK(parts.size() == 17);
  }
}

TEST_CASE("space filling configurations are different, satisfy the constraints and leave out what is inactive") {
  Experiment experiment = experiment_of({levels("a", {1, 2, 3}), range("b", 1, 100), range("c", 1, 100)});
  experiment.parameters[2].when = expression("a == 3");
  experiment.require = {expression("b <= 50")};
  const SearchSpace space = space_of(experiment);
  for (const Filling filling : {Filling::sobol, Filling::latin_hypercube}) {
    const auto found = space_filling(space, 40, 3, filling);
    CHECK(found.size() == 40);
    std::set<std::string> texts;
    int with_c = 0;
    for (const Configuration& configuration : found) {
      CHECK(space.satisfies(configuration));
      CHECK(space.canonical(configuration) == configuration);
      texts.insert(canonical_text(configuration));
      with_c += configuration.values.contains("c") ? 1 : 0;
    }
    CHECK(texts.size() == 40);
    CHECK_FALSE(texts.contains(canonical_text(space.baseline())));
    CHECK(with_c > 3);
    CHECK(with_c < 25);
  }
}

TEST_CASE("a space with fewer configurations than wanted gives all of them") {
  const SearchSpace space = space_of(experiment_of({levels("a", {1, 2, 3})}));
  CHECK(space_filling(space, 10, 1, Filling::sobol).size() == 3);
  CHECK(space_filling(space, 10, 1, Filling::latin_hypercube).size() == 3);
}
