#include "strategies/statistics/ratio.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace netsettle::strategies;

namespace {

const std::vector<double> kOurs{1.12, 1.05, 1.31, 0.98, 1.22, 1.4, 1.08, 1.17, 0.91, 1.26, 1.35, 1.02};
const std::vector<double> kBaseline{0.99, 1.01, 1.13, 0.88, 1.05, 1.2, 0.97, 1.09, 0.93, 1.04, 1.11, 1.00};

}  // namespace

TEST_CASE("the ratio of means in blocks has the interval at whose ends the t test gives alpha") {
  // SciPy 1.10.1: optimize.brentq over R of the t statistic of a - R b, ± stats.t.ppf(.975, 11)
  const auto ratio = ratio_in_blocks(kOurs, kBaseline);
  REQUIRE(ratio);
  CHECK(ratio->ratio == Approx(1.1185483870967743).epsilon(1e-12));
  CHECK(ratio->low == Approx(1.0700688209399343).epsilon(1e-10));
  CHECK(ratio->high == Approx(1.1642674959919026).epsilon(1e-10));
}

TEST_CASE("the ratio of means without common blocks has the interval of the unequal-variance test") {
  // SciPy 1.10.1: the same with the variances of both sides and Satterthwaite's 15.516 degrees of freedom
  const auto ratio = ratio_unpaired(kOurs, std::span(kBaseline).first(7));
  REQUIRE(ratio);
  CHECK(ratio->ratio == Approx(1.1190640848317197).epsilon(1e-12));
  CHECK(ratio->low == Approx(0.9957408971002802).epsilon(1e-10));
  CHECK(ratio->high == Approx(1.2576854947446463).epsilon(1e-10));
}

TEST_CASE("a denominator that may be zero gives no interval") {
  const std::vector<double> ours{1.0, 1.2, 0.9}, wild{0.1, -0.3, 0.4}, zero{0, 0, 0};
  CHECK_FALSE(ratio_in_blocks(ours, wild));
  CHECK_FALSE(ratio_unpaired(ours, wild));
  CHECK_FALSE(ratio_in_blocks(ours, zero));
  CHECK_FALSE(ratio_unpaired(ours, zero));
}

TEST_CASE("blocks that do not match or are too few give no interval") {
  CHECK_FALSE(ratio_in_blocks(kOurs, std::span(kBaseline).first(7)));
  CHECK_FALSE(ratio_in_blocks(std::span(kOurs).first(1), std::span(kBaseline).first(1)));
  CHECK_FALSE(ratio_unpaired(kOurs, {}));
}

TEST_CASE("values without spread have a ratio without spread") {
  const std::vector<double> two{2, 2, 2}, four{4, 4, 4};
  const auto ratio = ratio_in_blocks(two, four);
  CHECK(ratio->low == 0.5);
  CHECK(ratio->high == 0.5);
  CHECK(ratio_unpaired(two, four)->high == 0.5);
}

TEST_CASE("the unit of either side does not matter to the relative interval") {
  std::vector<double> thousandfold = kOurs;
  for (double& value : thousandfold) value *= 1000;
  CHECK(ratio_in_blocks(thousandfold, kBaseline)->low == Approx(1000 * ratio_in_blocks(kOurs, kBaseline)->low));
}
