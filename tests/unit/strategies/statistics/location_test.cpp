#include "strategies/statistics/location.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "strategies/designs/random.hpp"

using namespace netsettle::strategies;

namespace {

const std::vector<double> kRates{101.2, 99.1, 103.4, 97.8, 100.5, 102.9, 88.0, 99.9, 101.7, 98.6, 104.4, 100.1};
const std::vector<double> kNoise{-0.626, 0.184,  -0.836, 1.595,  0.33,   -0.82,  0.487, 0.738,  0.576,  -0.305, 1.512,  0.39,
                                 -0.621, -2.215, 1.125,  -0.045, -0.016, 0.944,  0.821, 0.594,  0.919,  0.782,  0.075,  -1.989,
                                 0.62,   -0.056, -0.156, -1.471, -0.478, 0.418,  1.359, -0.103, 0.388,  -0.054, -1.377, -0.415,
                                 -0.394, -0.059, 1.1,    0.763,  -0.165, -0.253, 0.697, 0.557,  -0.689, -0.707, 0.365,  0.769,
                                 -0.112, 0.881,  0.398,  -0.612, 0.341,  -1.129, 1.433, 1.98,   -0.367, -1.044, 0.57,   -0.135};

struct Row {
  std::size_t n;
  double estimate, low, high, coverage;
};

std::span<const double> first(std::size_t n) { return std::span(kRates).first(n); }

void check(const std::optional<LocationInterval>& interval, const Row& row) {
  REQUIRE(interval);
  CHECK(interval->n == static_cast<int>(row.n));
  CHECK(interval->estimate == Approx(row.estimate).epsilon(1e-12));
  CHECK(interval->low == Approx(row.low).epsilon(1e-12));
  CHECK(interval->high == Approx(row.high).epsilon(1e-12));
  CHECK(interval->coverage == Approx(row.coverage).epsilon(1e-12));
}

}  // namespace

TEST_CASE("the interval of a mean is that of the t test") {
  // R 4.2.2: t.test(x)
  for (const Row& row :
       {Row{6, 100.8166666666667, 98.5508413906329, 103.0824919427004, 0.95},
        Row{9, 99.38888888888889, 95.83666841651454, 102.94110936126322, 0.95}, Row{12, 99.8, 97.12444268513832, 102.47555731486167, 0.95}})
    check(mean_interval(first(row.n)), row);
  CHECK_FALSE(mean_interval(first(1)));
}

TEST_CASE("the interval of a median is between order statistics, with their exact coverage") {
  // R 4.2.2: r = qbinom(.025, n, .5); sort(x)[c(r, n + 1 - r)]; 1 - 2 * pbinom(r - 1, n, .5)
  for (const Row& row :
       {Row{6, 100.85, 97.8, 103.4, 0.96875}, Row{9, 100.5, 97.8, 102.9, 0.9609375}, Row{12, 100.3, 98.6, 102.9, 0.96142578125}})
    check(median_interval(first(row.n)), row);
  CHECK(median_interval(std::span(kNoise).first(20))->coverage == Approx(0.9586105346679688));
  CHECK_FALSE(median_interval(first(5)));
  CHECK(median_interval(first(5), 0.05)->coverage == Approx(0.9375));
  CHECK_FALSE(median_interval({}));
}

TEST_CASE("the Hodges-Lehmann estimate and its interval are those of the exact signed-rank test") {
  // R 4.2.2: wilcox.test(x, conf.int = TRUE, exact = TRUE); 1 - 2 * psignrank(qsignrank(.025, n) - 1, n)
  for (const Row& row :
       {Row{6, 100.85, 97.8, 103.4, 0.96875}, Row{9, 100.4, 94.6, 102.3, 0.9609375}, Row{12, 100.45, 98.2, 102.15, 0.95751953125}})
    check(hodges_lehmann(first(row.n)), row);
  check(hodges_lehmann(kNoise), {60, 0.142, -0.0925, 0.358, 0.9507184940156387});
  CHECK_FALSE(hodges_lehmann(first(5)));
  CHECK_FALSE(hodges_lehmann({}));
}

TEST_CASE("above 200 values the signed ranks are approximated, close to the exact ones") {
  Random random(4);
  std::vector<double> values;
  for (int i = 0; i < 201; ++i) values.push_back(random.normal());
  const auto approximate = hodges_lehmann(values);
  values.pop_back();
  const auto exact = hodges_lehmann(values);
  CHECK(approximate->coverage == Approx(exact->coverage).margin(1e-3));
  CHECK(approximate->high - approximate->low == Approx(exact->high - exact->low).epsilon(0.02));
}
