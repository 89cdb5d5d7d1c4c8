#include "strategies/statistics/drift.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "strategies/designs/random.hpp"

using namespace netsettle::strategies;

namespace {

const std::vector<double> kOneStep{0.0010,  0.0408,  0.0367,  -0.0153, -0.0089, -0.0158, 0.0171,  -0.0017, 0.0224,  -0.0554,
                                   0.0470,  -0.0029, 0.0204,  -0.0041, -0.0114, -0.1361, -0.1253, -0.1561, -0.1546, -0.1294,
                                   -0.1761, -0.1954, -0.1382, -0.1701, -0.2076, -0.1744, -0.1640, -0.1858, -0.1948};
const std::vector<double> kTwoSteps{0.0007,  0.0179, -0.0047, -0.0149, 0.0077, 0.0143, -0.0060, 0.0109, 0.0209, -0.0041,
                                    -0.0163, 0.0070, 0.1050,  0.1220,  0.0743, 0.0868, 0.0832,  0.0653, 0.1025, 0.1106,
                                    0.0052,  0.0477, 0.0364,  0.0325,  0.0280, 0.0391, -0.0066, 0.0323, 0.0321, -0.0154};
const std::vector<double> kSlope{0.0069, 0.0080, 0.0417, 0.0303, 0.0518, 0.0721, 0.0607, 0.1033, 0.1022, 0.1272, 0.1200, 0.1652,
                                 0.1686, 0.1660, 0.1952, 0.2208, 0.2445, 0.1903, 0.2524, 0.2571, 0.2590, 0.2538, 0.3121, 0.2748};
const std::vector<double> kSmallStep{0.0170, 0.0391, -0.0480, -0.0091, -0.0393, 0.0073,  0.0454,  0.0607,  -0.0533, -0.0172,
                                     0.0211, 0.0474, 0.0126,  -0.0224, 0.0089,  -0.0005, -0.0061, -0.0220, 0.0116,  0.0092,
                                     0.0372, 0.0333, 0.0015,  0.0254,  0.0762,  0.0343,  -0.0032, 0.0800,  0.0559,  0.1032,
                                     0.0419, 0.0262, -0.0034, 0.0797,  0.1171,  0.0154,  0.0206,  0.0579,  0.0151,  0.0319};

void check(const Step& step, std::size_t at, double before, double after, double p) {
  CHECK(step.at == at);
  CHECK(step.before == Approx(before).epsilon(1e-9));
  CHECK(step.after == Approx(after).epsilon(1e-9));
  CHECK(step.p == Approx(p).epsilon(1e-6));
}

}  // namespace

TEST_CASE("steps are where an independent program finds them") {
  // numpy 1.24.2 and SciPy 1.10.1: energy distances of all splits by matrices, stats.ttest_ind of the neighbourhoods
  const auto one = find_steps(kOneStep);
  REQUIRE(one.size() == 1);
  check(one[0], 15, 0.00466, -0.16485, 3.904773147092104e-16);
  const auto two = find_steps(kTwoSteps);
  REQUIRE(two.size() == 2);
  check(two[0], 12, 0.0027833333333333334, 0.0937125, 1.5575653844636123e-10);
  check(two[1], 20, 0.0937125, 0.02313, 1.7566896702088773e-06);
}

TEST_CASE("a slope is not a step") { CHECK(find_steps(kSlope).empty()); }

TEST_CASE("a step within twice the noise is no alarm") {
  CHECK(find_steps(kSmallStep).empty());
  CHECK(find_steps(kSmallStep, {.least_multiple = 1}).size() == 1);
  CHECK(find_steps(kTwoSteps, {.noise = 0.03}).size() == 2);
  CHECK(find_steps(kTwoSteps, {.noise = 0.05}).empty());
}

TEST_CASE("short or quiet series have no steps") {
  CHECK(find_steps({}).empty());
  CHECK(find_steps(std::vector<double>{1, 1, 1, 9, 9, 9, 9}).empty());
  CHECK(find_steps(std::vector<double>(30, 0.5)).empty());
}

TEST_CASE("a step between two silent levels is found") {
  std::vector<double> values(20, 1.0);
  for (std::size_t i = 12; i < values.size(); ++i) values[i] = 2;
  const auto steps = find_steps(values);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].at == 12);
  CHECK(steps[0].p == 0);
}

TEST_CASE("in series without a step an alarm is rare") {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(derive_seed(seed, 81));
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.push_back(0.03 * random.normal());
    alarms += find_steps(values).empty() ? 0 : 1;
  }
  CHECK(alarms <= 4);  // 1 %
}

TEST_CASE("the trend of a series is that of an independent program") {
  // SciPy 1.10.1: stats.linregress(t, y), slope ± stats.t.ppf(.975, 22) * stderr; lag 1 of the residuals with numpy
  std::vector<double> times;
  for (std::size_t i = 0; i < kSlope.size(); ++i) times.push_back(3 + 1.5 * static_cast<double>(i));
  const auto trend = linear_trend(times, kSlope);
  REQUIRE(trend);
  CHECK(trend->slope == Approx(0.008665797101449274).epsilon(1e-9));
  CHECK(trend->low == Approx(0.007961170754109927).epsilon(1e-9));
  CHECK(trend->high == Approx(0.00937042344878862).epsilon(1e-9));
  CHECK(trend->p == Approx(7.839134766810686e-18).epsilon(1e-6));
  CHECK(trend->residual_spread == Approx(0.01728291069167126).epsilon(1e-9));
  CHECK(*trend->residual_autocorrelation == Approx(-0.38907138182484996).epsilon(1e-9));
}

TEST_CASE("a trend needs three points at different times") {
  const std::vector<double> two{1, 2}, three{1, 2, 3}, same{1, 1, 1};
  CHECK_FALSE(linear_trend(two, two));
  CHECK_FALSE(linear_trend(same, three));
  CHECK_FALSE(linear_trend(three, two));
  CHECK(linear_trend(three, three)->p == 0);
  CHECK_FALSE(neighbour_correlation(two));
  CHECK_FALSE(neighbour_correlation(same));
}
