#include "strategies/statistics/stability.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace netsettle::strategies;

namespace {

const std::vector<double> kRates{101.2, 99.1, 103.4, 97.8, 100.5, 102.9, 68.0, 99.9, 101.7, 98.6, 104.4, 100.1};

}  // namespace

TEST_CASE("the stability of twelve trials is that of an independent program") {
  // SciPy 1.10.1: the formulas with stats.chi2.ppf and np.quantile(x, .05); stats.beta.ppf(.95, 2, 11). The exact interval of the
  // coefficient of variation, by stats.nct, is 0.069809 to 0.168942.
  const auto stability = stability_of(kRates);
  REQUIRE(stability);
  CHECK(stability->n == 12);
  CHECK(stability->variation == Approx(0.09878476393383533));
  REQUIRE(stability->variation_range);
  CHECK(stability->variation_range->low == Approx(0.06980906466280776));
  CHECK(stability->variation_range->high == Approx(0.1689536695284491));
  CHECK(stability->deviation_range.low == Approx(6.867237965847294));
  CHECK(stability->deviation_range.high == Approx(16.45936222248203));
  CHECK(stability->relative_range == Approx(0.3709239130434783));
  CHECK(stability->worst == Approx(0.6929347826086957));
  REQUIRE(stability->p5);
  CHECK(*stability->p5 == Approx(0.859952445652174));
  CHECK(stability->bad == 1);
  CHECK(stability->bad_mode_bound == Approx(0.3386806684340324));
}

TEST_CASE("what was not seen may still be there") {
  // numpy 1.24.2: 1 - .05 ** (1 / n)
  CHECK(unseen_bound(5) == Approx(0.4507197283469412));
  CHECK(unseen_bound(12) == Approx(0.22092219194555585));
  CHECK(unseen_bound(20) == Approx(0.13910834066826516));
  CHECK(unseen_bound(0) == 1);
  const std::vector<double> steady{100, 101, 99, 100.5, 99.5};
  CHECK(stability_of(steady)->bad == 0);
  CHECK(stability_of(steady)->bad_mode_bound == Approx(unseen_bound(5)));
}

TEST_CASE("a low quantile needs twelve trials") { CHECK_FALSE(stability_of(std::span(kRates).first(11))->p5); }

TEST_CASE("equal trials vary by nothing") {
  const std::vector<double> same(6, 7.0);
  const auto stability = stability_of(same);
  CHECK(stability->variation == 0);
  CHECK(stability->variation_range->high == 0);
  CHECK(stability->worst == 1);
}

TEST_CASE("a spread beyond the formula's reach has no interval, and what is no rate no stability") {
  CHECK_FALSE(stability_of(std::vector<double>{0.01, 0.02, 9})->variation_range);
  CHECK_FALSE(stability_of(std::vector<double>{5}));
  CHECK_FALSE(stability_of(std::vector<double>{0, 0, 0}));
  CHECK_FALSE(stability_of(std::vector<double>{5, -1, 3}));
}
