#include "strategies/validity/series.hpp"

#include <catch2/catch.hpp>
#include <limits>

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

TEST_CASE("the intervals of a window are those that lie in it") {
  // Starts at 100; window from 102 to 105, the times a little late.
  const std::vector<Interval> intervals{{101, 1}, {102, 2}, {103.05, 3}, {104.05, 4}, {105.05, 5}, {106, 6}};
  const auto inside = window_intervals(intervals, 2, 3, 0);
  REQUIRE(inside.size() == 3);
  CHECK(inside.front().qps == 3);
  CHECK(inside.back().qps == 5);
  CHECK(window_intervals(intervals, 2.5, 1, 0).empty());
  CHECK(window_intervals(intervals, 2, 0, 0).size() == 4);
  CHECK(window_intervals(intervals, 0, 0, 1).front().qps == 2);
  CHECK(window_intervals({{1, 10}}, 0, 0, 0).empty());
  CHECK(window_intervals({{1, 10}, {2, std::numeric_limits<double>::quiet_NaN()}, {3, 5}}, 0, 0, 0).size() == 2);
}

TEST_CASE("the load started one interval before the first time") {
  CHECK(*series_start({{101.5, 1}, {102, 2}}) == Approx(101));
  CHECK_FALSE(series_start({{101.5, 1}}));
  CHECK_FALSE(series_start({}));
}

TEST_CASE("a series whose times are in order has no fault") {
  const std::vector<Interval> intervals{{100.20, 1}, {100.40, 1}, {100.61, 1}, {100.85, 1}, {101.06, 1}};
  CHECK_FALSE(series_clock_fault(intervals, 1.1, 0));
  CHECK_FALSE(series_clock_fault(intervals, std::nullopt, 0));
  CHECK_FALSE(series_clock_fault({{5, 1}}, 1.0, 0));
  CHECK_FALSE(series_clock_fault({}, std::nullopt, 0));
}

TEST_CASE("times that go back or stand still are a set clock") {
  const auto back = series_clock_fault({{100.5, 1}, {101, 1}, {100.8, 1}, {101.3, 1}}, 3, 0);
  REQUIRE(back);
  CHECK(back->kind == SeriesFault::Kind::clock);
  CHECK_THAT(back->text, Catch::Contains("-200 ms"));
  CHECK(series_clock_fault({{100, 1}, {100, 1}}, std::nullopt, 0));
}

TEST_CASE("a series that spans more than the load's time is a set clock") {
  const auto ahead = series_clock_fault({{196.7, 1000}, {254.7, 347}}, 3.06, 0);
  REQUIRE(ahead);
  CHECK(ahead->kind == SeriesFault::Kind::clock);
  CHECK(ahead->text == "the series spans 58.0 s, the load ran for 3.1 s");
  CHECK_FALSE(series_clock_fault({{196.7, 1000}, {254.7, 347}}, std::nullopt, 0));
}

TEST_CASE("an interval of more than one and a half is a gap, and may be the load's own fault") {
  const auto gap = series_clock_fault({{1.0, 1}, {1.2, 1}, {1.4, 1}, {1.72, 1}, {1.92, 1}}, 2, 0);
  REQUIRE(gap);
  CHECK(gap->kind == SeriesFault::Kind::gap);
  CHECK(gap->text == "an interval took 0.32 s, the others 0.20 s");
  CHECK_FALSE(series_clock_fault({{1.0, 1}, {1.2, 1}, {1.4, 1}, {1.68, 1}, {1.88, 1}}, 2, 0));
}

TEST_CASE("a bogus first interval is not judged") {
  const std::vector<Interval> intervals{{1.9, 1e-6}, {1.2, 1}, {1.4, 1}, {1.6, 1}};
  CHECK(series_clock_fault(intervals, 2, 0));
  CHECK_FALSE(series_clock_fault(intervals, 2, 1));
  CHECK_FALSE(series_clock_fault(intervals, 2, 3));
}
