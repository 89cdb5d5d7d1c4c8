#include "strategies/validity/series.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::strategies;

TEST_CASE("only what lies in the measuring window counts, weighted by time") {
  // Starts at 100; warm-up until 102; window until 106.
  const std::vector<Interval> intervals{{101, 1}, {102, 2}, {103, 10}, {105, 20}, {107, 50}};
  const auto rate = window_rate(intervals, 2, 4, 0);
  REQUIRE(rate);
  CHECK(rate->covered_s == Approx(4));
  CHECK(rate->qps == Approx((10 * 1 + 20 * 2 + 50 * 1) / 4.0));
}

TEST_CASE("an interval across the end of the warm-up counts with its later part") {
  const auto rate = window_rate({{1, 5}, {2, 7}, {3, 9}}, 1.5, 0, 0);
  REQUIRE(rate);
  CHECK(rate->covered_s == Approx(1.5));
  CHECK(rate->qps == Approx((7 * 0.5 + 9 * 1) / 1.5));
}

TEST_CASE("the first interval is left out where it is known to be nonsense") {
  CHECK(window_rate({{1, 1e9}, {2, 7}, {3, 7}}, 0, 0, 1)->qps == Approx(7));
}

TEST_CASE("a series that does not reach the window says nothing") {
  CHECK_FALSE(window_rate({}, 2, 10, 0));
  CHECK_FALSE(window_rate({{1, 10}}, 0, 10, 0));
  CHECK_FALSE(window_rate({{1, 10}, {2, 10}}, 2, 10, 0));
}

TEST_CASE("times that stand still give no rate") { CHECK_FALSE(window_rate({{5, 10}, {5, 10}}, 0, 0, 0)); }
