#include "strategies/designs/morris.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace netsettle::strategies;

namespace {

template <typename Function>
std::vector<MorrisMeasures> measured(std::size_t dimensions, int paths, const Function& function) {
  Random random(9);
  std::vector<ElementaryEffect> effects;
  for (int i = 0; i < paths; ++i) {
    const auto path = morris_trajectory(dimensions, random);
    std::vector<std::optional<double>> results;
    for (const CubePoint& point : path) results.emplace_back(function(point));
    for (const ElementaryEffect& effect : elementary_effects(path, results)) effects.push_back(effect);
  }
  return morris_measures(dimensions, effects);
}

}  // namespace

TEST_CASE("a path changes each axis once by two thirds and stays on the grid") {
  Random random(3);
  const auto path = morris_trajectory(6, random);
  REQUIRE(path.size() == 7);
  std::vector<int> changes(6, 0);
  for (std::size_t step = 1; step < path.size(); ++step)
    for (std::size_t axis = 0; axis < 6; ++axis) {
      CHECK(path[step][axis] >= 0);
      CHECK(path[step][axis] <= 1);
      if (path[step][axis] == path[step - 1][axis]) continue;
      CHECK(std::abs(path[step][axis] - path[step - 1][axis]) == Approx(2.0 / 3));
      ++changes[axis];
    }
  CHECK(changes == std::vector<int>(6, 1));
}

TEST_CASE("of a linear function the effects are its coefficients, without spread") {
  const auto measures = measured(3, 4, [](const CubePoint& x) { return 5 * x[0] - 2 * x[1]; });
  CHECK(measures[0].n == 4);
  CHECK(measures[0].mean == Approx(5));
  CHECK(measures[1].mean == Approx(-2));
  CHECK(measures[1].mean_absolute == Approx(2));
  CHECK(measures[0].spread == Approx(0).margin(1e-9));
  CHECK(measures[2].mean_absolute == Approx(0).margin(1e-9));
}

TEST_CASE("of a product and a parabola the measures are those worked out by hand") {
  // f = x0 x1 + 4 (x2 - 1/2)^2. The effect of x0 is x1, uniform over 0, 1/3, 2/3, 1: mean 1/2, variance 5/36. The two steps of x2, from 0
  // to 2/3 and from 1/3 to 1, have the effects 4 (2/3 - 1) = -4/3 and 4 (4/3 - 1) = 4/3.
  const auto measures = measured(3, 4000, [](const CubePoint& x) { return x[0] * x[1] + 4 * (x[2] - 0.5) * (x[2] - 0.5); });
  CHECK(measures[0].mean == Approx(0.5).margin(0.03));
  CHECK(measures[0].spread == Approx(std::sqrt(5.0 / 36)).margin(0.01));
  CHECK(measures[2].mean == Approx(0).margin(0.08));
  CHECK(measures[2].mean_absolute == Approx(4.0 / 3));
  CHECK(measures[2].spread == Approx(4.0 / 3).margin(0.01));
}

TEST_CASE("a step with a missing result has no effect") {
  Random random(1);
  const auto path = morris_trajectory(3, random);
  CHECK(elementary_effects(path, {1.0, std::nullopt, 2.0, 3.0}).size() == 1);
  CHECK(elementary_effects(path, {1.0, 1.0, 2.0, 3.0}).size() == 3);
  CHECK(morris_measures(3, {})[0].n == 0);
}
