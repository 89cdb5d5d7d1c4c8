#include "strategies/statistics/comparison.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace netsettle::strategies;

namespace {

struct Row {
  std::vector<double> differences;
  double effect, low, high, p;
};

}  // namespace

TEST_CASE("effects, intervals and p values of paired blocks are those of an independent program") {
  // SciPy 1.10.1: expm1(mean ± stats.t.ppf(.975, n-1) * s / sqrt(n)); stats.ttest_1samp(d, 0, alternative='greater')
  const std::vector<Row> rows{
      {{0.031, 0.012, 0.045, -0.008, 0.027, 0.019}, 0.021222051637528647, 0.0020075171820367194, 0.04080504474029659, 0.018080885457328895},
      {{0.27, 0.31, 0.24, 0.29, 0.26, 0.25, 0.33, 0.28},
       0.3214769333366093,
       0.28826826351590024,
       0.35554164827035345,
       1.6361538367750888e-08},
      {{-0.02, 0.05}, 0.015113064615718982, -0.34930689301984685, 0.5836260180099724, 0.37111894159084347},
  };
  for (const Row& row : rows) {
    const auto comparison = compare_paired_log(row.differences, 0.025);
    REQUIRE(comparison);
    CHECK(comparison->n == static_cast<int>(row.differences.size()));
    CHECK(comparison->effect == Approx(row.effect).margin(1e-9));
    CHECK(comparison->low == Approx(row.low).margin(1e-9));
    CHECK(comparison->high == Approx(row.high).margin(1e-9));
    CHECK(comparison->p_greater == Approx(row.p).epsilon(1e-6));
  }
}

TEST_CASE("one block compares nothing") {
  const std::vector<double> one{0.2};
  CHECK_FALSE(compare_paired_log(one, 0.025));
  CHECK_FALSE(compare_paired_log({}, 0.025));
}

TEST_CASE("the interval excludes zero exactly where p is below alpha") {
  for (const double shift : {-0.02, -0.001, 0.0, 0.004, 0.006, 0.008, 0.01, 0.02, 0.05}) {
    const std::vector<double> differences{shift + 0.01, shift - 0.01, shift + 0.004, shift - 0.006, shift + 0.002, shift};
    const auto comparison = compare_paired_log(differences, 0.025);
    CHECK((comparison->low > 0) == (comparison->p_greater < 0.025));
  }
}

TEST_CASE("differences without any spread are judged by their sign") {
  const std::vector<double> better(6, 0.1), equal(6, 0.0);
  CHECK(compare_paired_log(better, 0.025)->p_greater == 0);
  CHECK(compare_paired_log(better, 0.025)->low == Approx(std::expm1(0.1)));
  CHECK(compare_paired_log(equal, 0.025)->p_greater == 1);
}

TEST_CASE("the probability of a spread ratio is that of the F distribution") {
  // SciPy 1.10.1: stats.f.sf(ratio², n - 1, m - 1)
  CHECK(*spread_ratio_p(2, 6, 1, 6) == Approx(0.07718862524220671));
  CHECK(*spread_ratio_p(std::sqrt(11.0), 6, 1, 6) == Approx(0.009934025761689712));
  CHECK(*spread_ratio_p(std::sqrt(2.0), 10, 1, 10) == Approx(0.15823870261599618));
  CHECK_FALSE(spread_ratio_p(1, 1, 1, 6));
  CHECK_FALSE(spread_ratio_p(1, 6, 0, 6));
}
