#include "strategies/statistics/planning.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace netsettle::strategies;

TEST_CASE("the difference that can be proven is that of the non-central t distribution") {
  // SciPy 1.10.1: brentq over stats.nct.sf(stats.t.ppf(.975, n-1), n-1, ncp) - .8, then expm1(ncp * cv * sqrt(2 / n))
  CHECK(*detectable_effect({.noise = 0.03, .blocks = 6}) == Approx(0.06275288664506277).epsilon(1e-6));
  CHECK(*detectable_effect({.noise = 0.03, .blocks = 10}) == Approx(0.04316232519392274).epsilon(1e-6));
  CHECK(*detectable_effect({.noise = 0.05, .blocks = 40}) == Approx(0.032642297614803834).epsilon(1e-6));
  CHECK(*detectable_effect({.noise = 0.10, .blocks = 6}) == Approx(0.2249197702616529).epsilon(1e-6));
}

TEST_CASE("nothing can be planned from one block or an unknown noise") {
  CHECK_FALSE(detectable_effect({.noise = 0.03, .blocks = 1}));
  CHECK_FALSE(detectable_effect({.noise = std::numeric_limits<double>::quiet_NaN(), .blocks = 6}));
}

TEST_CASE("the blocks needed for an effect can prove that effect") {
  for (const double noise : {0.01, 0.03, 0.1})
    for (const double effect : {0.02, 0.05, 0.2}) {
      const auto blocks = blocks_needed(effect, noise, 0.025);
      REQUIRE(blocks);
      CHECK(*blocks >= 6);
      CHECK(*detectable_effect({.noise = noise, .blocks = *blocks}) <= effect * 1.05);
    }
}

TEST_CASE("no number of blocks proves an effect of nothing") {
  CHECK_FALSE(blocks_needed(0, 0.03, 0.025));
  CHECK_FALSE(blocks_needed(-0.1, 0.03, 0.025));
  CHECK_FALSE(blocks_needed(0.0001, 0.1, 0.025));
}
