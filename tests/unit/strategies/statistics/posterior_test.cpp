#include "strategies/statistics/posterior.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace netsettle::strategies;

TEST_CASE("an equally exact observation halves the way and the variance") {
  const NormalBelief belief = updated({.mean = 0, .standard_deviation = 0.1}, 0.2, 0.1);
  CHECK(belief.mean == Approx(0.1));
  CHECK(belief.standard_deviation == Approx(0.1 / std::sqrt(2.0)));
}

TEST_CASE("an observation without a standard error changes nothing") {
  const NormalBelief belief = updated({.mean = 0.3, .standard_deviation = 0.1}, 5, 0);
  CHECK(belief.mean == 0.3);
  CHECK(belief.standard_deviation == 0.1);
}

TEST_CASE("the probability above a threshold is the normal distribution's") {
  // SciPy 1.10.1: stats.norm.cdf
  CHECK(probability_above({.mean = 1.6448536269514722, .standard_deviation = 1}, 0) == Approx(0.95));
  CHECK(probability_above({.mean = -0.02, .standard_deviation = 0.02}, 0) == Approx(0.15865525393145707));
  CHECK(probability_above({.mean = 0.3, .standard_deviation = 1}, 0) == Approx(0.6179114221889526));
}
