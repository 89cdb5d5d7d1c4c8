#include "strategies/statistics/bootstrap.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

using namespace netsettle::strategies;

namespace {

const std::vector<double> kOurs{1.12, 1.05, 1.31, 0.98, 1.22, 1.4, 1.08, 1.17, 0.91, 1.26, 1.35, 1.02};
const std::vector<double> kBaseline{0.99, 1.01, 1.13, 0.88, 1.05, 1.2, 0.97, 1.09, 0.93, 1.04, 1.11, 1.00};
const std::vector<double> kSkewed{0.2, 0.5, 3.1, 0.9, 1.4, 0.1, 7.2, 0.3, 2.2, 0.8, 0.6, 1.1, 0.4, 4.0};

double mean_of_skewed(std::span<const std::size_t> blocks) {
  double sum = 0;
  for (const std::size_t block : blocks) sum += kSkewed[block];
  return sum / static_cast<double>(blocks.size());
}

}  // namespace

TEST_CASE("the interval of a ratio is that of an independent program within the draws' error") {
  // R 4.2.2, boot 1.3-28.1: boot.ci(boot(d, …, R = 999999), type = "bca"); a: numpy 1.24.2
  const auto interval = bca_ratio(kOurs, kBaseline);
  REQUIRE(interval);
  CHECK(interval->estimate == Approx(1.118548387096774));
  CHECK(interval->low == Approx(1.075062552126772).margin(0.002));
  CHECK(interval->high == Approx(1.155294117647059).margin(0.002));
  CHECK(interval->bias == Approx(-0.0153).margin(0.03));
  CHECK(interval->acceleration == Approx(-0.012042063345437354).epsilon(1e-6));
}

TEST_CASE("the interval of a skewed mean leans to the long tail") {
  // R 4.2.2, boot 1.3-28.1, as above: 0.9 to 3.1
  const auto interval = bca_interval(kSkewed.size(), mean_of_skewed);
  REQUIRE(interval);
  CHECK(interval->low == Approx(0.9).margin(0.05));
  CHECK(interval->high == Approx(3.1).margin(0.15));
  CHECK(interval->bias == Approx(0.0757).margin(0.03));
  CHECK(interval->acceleration == Approx(0.08096967834343981).epsilon(1e-6));
}

TEST_CASE("the same seed gives the same interval, another seed about the same") {
  const auto first = bca_ratio(kOurs, kBaseline), again = bca_ratio(kOurs, kBaseline), other = bca_ratio(kOurs, kBaseline, {.seed = 2});
  CHECK(first->low == again->low);
  CHECK(first->high == again->high);
  CHECK(first->low != other->low);
  CHECK(first->low == Approx(other->low).margin(0.004));
}

TEST_CASE("fewer than ten blocks give no interval") {
  CHECK_FALSE(bca_ratio(std::span(kOurs).first(9), std::span(kBaseline).first(9)));
  CHECK(bca_ratio(std::span(kOurs).first(10), std::span(kBaseline).first(10), {.draws = 199}));
  CHECK_FALSE(bca_ratio(kOurs, std::span(kBaseline).first(10)));
}

TEST_CASE("a statistic that is not finite everywhere gives no interval") {
  const auto broken = [](std::span<const std::size_t> blocks) {
    return blocks[0] == 3 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(blocks[1]);
  };
  CHECK_FALSE(bca_interval(12, broken, {.draws = 200}));
}

TEST_CASE("values without spread have an interval without width") {
  const std::vector<double> same(12, 2.0);
  const auto interval = bca_ratio(same, same, {.draws = 99});
  CHECK(interval->low == 1);
  CHECK(interval->high == 1);
}
