#include "strategies/statistics/non_inferiority.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace netsettle::strategies;

TEST_CASE("a simplification within delta is as good, by the one-sided t test of an independent program") {
  // R 4.2.2: t.test(x, mu = log(.98), alternative = "greater")
  const std::vector<double> differences{-0.004, 0.006, -0.011, 0.002, -0.003, 0.005};
  const auto result = non_inferiority(differences, 0.02);
  REQUIRE(result);
  CHECK(result->n == 6);
  CHECK(result->effect == Approx(-0.00083298620754169).epsilon(1e-9));
  CHECK(result->low == Approx(-0.006105585778249).epsilon(1e-9));
  CHECK(result->p == Approx(0.00035976828863003).epsilon(1e-9));
  CHECK(result->margin == 0.02);
  CHECK(result->holds);
}

TEST_CASE("it holds exactly where the lower bound is above minus delta") {
  const std::vector<double> differences{-0.012, 0.001, -0.02, -0.004, -0.011, 0.003};
  for (const double delta : {0.005, 0.01, 0.013, 0.015, 0.02, 0.05}) {
    const auto result = non_inferiority(differences, delta);
    CHECK(result->holds == (result->low > -delta));
    CHECK(result->holds == (result->p < 0.05));
  }
}

TEST_CASE("nothing is shown by one block or without a margin") {
  const std::vector<double> one{0.1}, two{0.1, 0.1};
  CHECK_FALSE(non_inferiority(one, 0.02));
  CHECK_FALSE(non_inferiority(two, 0));
  CHECK_FALSE(non_inferiority(two, 1));
  CHECK(non_inferiority(two, 0.02)->holds);
}
