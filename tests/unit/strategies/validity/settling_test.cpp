#include "strategies/validity/settling.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "strategies/validity/series.hpp"
#include "tests/unit/strategies/statistics/series_samples.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

constexpr double kLength = 0.2;

/// 100,000 a second, by these factors; the window begins at 1000 s.
std::vector<Interval> window_of(const std::vector<double>& factors) {
  std::vector<Interval> window;
  for (const double factor : factors)
    window.push_back({.time_s = 1000 + kLength * static_cast<double>(window.size() + 1), .qps = 1e5 * factor});
  return window;
}

/// A steady rate with noise of this coefficient of variation, multiplied by `factor` from point `at` on.
std::vector<Interval> stepping(std::uint64_t seed, std::size_t n, double noise, std::size_t at, double factor) {
  std::vector<double> factors = noisy_level(seed, n, noise, 0.3);
  for (std::size_t i = at; i < n; ++i) factors[i] *= factor;
  return window_of(factors);
}

int unsettled(std::size_t n, int series, const std::function<double(int)>& noise, double correlation) {
  int count = 0;
  for (int i = 0; i < series; ++i)
    count += !settling_of(window_of(noisy_level(static_cast<std::uint64_t>(i), n, noise(i), correlation)))->settled();
  return count;
}

double from_3_to_10_percent(int i) { return 0.03 + 0.07 * (i % 8) / 7; }

/// 10 s of 1,000 queries a second in intervals of 1 s; time-outs as reported in each of them.
LoadReport losing(const std::vector<std::int64_t>& reported, std::int64_t after_the_series = 0) {
  LoadReport load{.lost = after_the_series, .timeout_lines = after_the_series};
  for (const std::int64_t count : reported) {
    load.intervals.push_back({.time_s = 1000.0 + static_cast<double>(load.intervals.size() + 1), .qps = 1000, .timeouts_before = count});
    *load.lost += count;
    load.timeout_lines += count;
  }
  return load;
}

}  // namespace

TEST_CASE("of 2000 steady short windows at most 2 % are called unsettled") {
  const int count = unsettled(10, 2000, from_3_to_10_percent, 0.3);
  CAPTURE(count);
  CHECK(count <= 40);
}

TEST_CASE("of 2000 steady windows of 3 s at most 2 % are called unsettled") {
  const int count = unsettled(15, 2000, from_3_to_10_percent, 0.3);
  CAPTURE(count);
  CHECK(count <= 40);
}

TEST_CASE("of 2000 steady long windows at most 2 % are called unsettled") {
  const int count = unsettled(150, 2000, from_3_to_10_percent, 0.3);
  CAPTURE(count);
  CHECK(count <= 40);
}

TEST_CASE("strongly correlated noise in a long window is not taken for changes") {
  const int count = unsettled(150, 500, from_3_to_10_percent, 0.7);
  CAPTURE(count);
  CHECK(count <= 10);
}

TEST_CASE("a step that matters is found in nearly every window, and where it is") {
  struct Row {
    std::size_t n, at;
    double factor;
  };
  for (const Row& row : {Row{10, 5, 0.7}, Row{15, 8, 0.8}, Row{15, 6, 1.3}, Row{150, 60, 0.9}, Row{150, 100, 1.1}}) {
    int found = 0, near = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto settling = settling_of(stepping(seed, row.n, 0.03, row.at, row.factor));
      if (settling->settled()) continue;
      ++found;
      near += std::abs(settling->last_change->after_s - kLength * static_cast<double>(row.at)) < 1.5 * kLength &&
              std::abs(*settling->last_change->percent - 100 * (row.factor - 1)) < 6;
    }
    CAPTURE(row.n, row.at, row.factor, found, near);
    CHECK(found >= 190);
    CHECK(near >= 180);
  }
}

TEST_CASE("a drop in the middle of a window is told with its place, its size and what helps") {
  std::vector<double> factors(15, 1.0);
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = (i < 8 ? 1.0 : 0.8) + (i % 2 == 0 ? 0.01 : -0.01);
  const auto settling = settling_of(window_of(factors));
  REQUIRE(settling);
  REQUIRE_FALSE(settling->settled());
  CHECK(settling->kind == SteadyClass::slowdown);
  CHECK(settling->last_change->time_s == Approx(1001.6));
  CHECK(settling->last_change->after_s == Approx(1.6));
  CHECK(*settling->last_change->percent == Approx(-20).margin(1));
  CHECK_FALSE(settling->truncation);
  CHECK_THAT(settling_text(*settling), Catch::Contains("changed by -20 % 1.6 s into the measuring window"));
  CHECK_THAT(settling_text(*settling), Catch::Contains("trial.measure"));
}

TEST_CASE("a rise is a warm-up, and a rise at the very end no steady state") {
  const auto rise = settling_of(stepping(1, 50, 0.01, 20, 1.2));
  CHECK(rise->kind == SteadyClass::warmup);
  CHECK_THAT(settling_text(*rise), Catch::Contains("changed by +20 %") && Catch::Contains("trial.warmup"));
  const auto late = settling_of(stepping(1, 50, 0.01, 44, 1.2));
  CHECK(late->kind == SteadyClass::no_steady_state);
  CHECK_THAT(settling_text(*late), Catch::Contains("too short to be a steady state"));
}

TEST_CASE("a rate that comes up from nothing has no percentage") {
  const auto settling = settling_of(stepping(1, 30, 0, 10, 1));
  CHECK(settling->settled());
  std::vector<double> factors(30, 1.0);
  std::fill_n(factors.begin(), 10, 0.0);
  const auto dead = settling_of(window_of(factors));
  REQUIRE_FALSE(dead->settled());
  CHECK_FALSE(dead->last_change->percent);
  CHECK_THAT(settling_text(*dead), Catch::StartsWith("the rate changed 2.0 s into the measuring window"));
}

TEST_CASE("a change that is certain and does not matter is none") {
  CHECK(settling_of(stepping(1, 150, 0.002, 75, 0.98))->settled());
  CHECK_FALSE(settling_of(stepping(1, 150, 0.002, 75, 0.96))->settled());
}

TEST_CASE("one interval out of line is not a change of the level") {
  for (const std::size_t n : {15u, 150u})
    for (const double value : {0.0, 0.5, 2.0}) {
      std::vector<double> factors = noisy_level(4, n, 0.03, 0.3);
      factors[n / 2] = value;
      CHECK(settling_of(window_of(factors))->settled());
    }
}

TEST_CASE("a window of fewer than ten points says nothing about settling") {
  CHECK_FALSE(settling_of({}));
  CHECK_FALSE(settling_of(stepping(1, 9, 0.03, 5, 0.5)));
  CHECK(settling_of(stepping(1, 10, 0.03, 5, 0.5)));
}

TEST_CASE("a settled window has no text, and a long one has the truncation point too") {
  const auto settling = settling_of(stepping(1, 150, 0.03, 0, 1));
  CHECK(settling->settled());
  CHECK(settling->kind == SteadyClass::flat);
  CHECK(settling_text(*settling).empty());
  CHECK(settling->truncation);
}

TEST_CASE("losses reported until warm-up and time-out have passed were sent before the window") {
  // start 1000, warm-up 2 s, time-out 1 s: reported until 1003
  const auto times = loss_times(losing({0, 307, 3, 1, 1, 1, 1, 1, 1, 1}), {.warmup_s = 2, .timeout_s = 1});
  REQUIRE(times);
  CHECK(times->burst_lost == 310);
  CHECK(times->window_lost == 7);
  CHECK(*times->window_lost_percent == Approx(100.0 * 7 / (8'000 + 7)));
}

TEST_CASE("an interval across the begin of the window is divided by time") {
  const auto times = loss_times(losing({0, 0, 100, 40, 0, 0}), {.warmup_s = 1.5, .timeout_s = 1.75});
  CHECK(times->burst_lost == 110);  // until 1003.25: a quarter of the fourth interval
  CHECK(times->window_lost == 30);
}

TEST_CASE("losses reported after the last interval belong to the window") {
  LoadReport load = losing({0, 50, 0, 0, 0, 0}, 20);
  load.end_time_s = 1006.5;
  const auto times = loss_times(load, {.warmup_s = 1, .timeout_s = 1});
  CHECK(times->burst_lost == 50);
  CHECK(times->window_lost == 20);
  CHECK(*times->window_lost_percent == Approx(100.0 * 20 / (5'500 + 20)));
}

TEST_CASE("a load without losses lost nothing in burst and window") {
  const auto times = loss_times(losing({0, 0, 0, 0}), {.warmup_s = 1, .timeout_s = 1});
  REQUIRE(times);
  CHECK(times->burst_lost == 0);
  CHECK(times->window_lost == 0);
  CHECK(*times->window_lost_percent == 0);
}

TEST_CASE("a bogus first interval still counts its time-outs, but not its rate") {
  LoadReport load = losing({5, 300, 0, 10, 0});
  load.intervals[0].qps = 1e9;
  load.first_interval_bogus = true;
  const auto times = loss_times(load, {.warmup_s = 0, .timeout_s = 2});
  CHECK(times->burst_lost == 305);
  CHECK(*times->window_lost_percent == Approx(100.0 * 10 / (4'000 + 10)));
}

TEST_CASE("a time-out longer than the window leaves the times of losses unknown, unless all were reported before") {
  CHECK_FALSE(loss_times(losing({0, 0, 0, 0, 0}, 40), {.warmup_s = 2, .timeout_s = 5}));
  CHECK(loss_times(losing({0, 0, 0, 0, 40}), {.warmup_s = 2, .timeout_s = 5})->burst_lost == 40);
}

TEST_CASE("losses whose times are not known are not guessed") {
  const LossWindow window{.warmup_s = 2, .timeout_s = 1};
  CHECK_FALSE(loss_times({}, window));
  CHECK_FALSE(loss_times(losing({}, 10), window));
  CHECK_FALSE(loss_times(losing({10}), window));
  LoadReport load = losing({0, 500, 0, 0, 500});
  REQUIRE(loss_times(load, window));
  load.lost = 1'009;
  CHECK(loss_times(load, window));
  load.lost = 1'011;
  CHECK_FALSE(loss_times(load, window));
  load.lost = 991;
  CHECK(loss_times(load, window));
  load.lost = 0;
  CHECK_FALSE(loss_times(load, window));
  load.lost = -1'000;
  CHECK_FALSE(loss_times(load, window));
  load.lost.reset();
  CHECK_FALSE(loss_times(load, window));
  LoadReport contradicting = losing({0, 500, 0, 0, 500});
  contradicting.timeout_lines = 999;
  CHECK_FALSE(loss_times(contradicting, window));
}

TEST_CASE("a load that did nothing in the window has no share of losses") {
  LoadReport load = losing({0, 10, 0, 0});
  for (Interval& interval : load.intervals) interval.qps = 0;
  const auto times = loss_times(load, {.warmup_s = 1, .timeout_s = 1});
  CHECK(times->burst_lost == 10);
  CHECK_FALSE(times->window_lost_percent);
  load = losing({0, 10, 0, 0});
  CHECK_FALSE(loss_times(load, {.warmup_s = 9, .timeout_s = 1})->window_lost_percent);
}

TEST_CASE("lost queries hold their places for the whole time-out") {
  CHECK(*held_share(200, 1, 20, 12) == Approx(200.0 / 240));
  CHECK(*held_share(0, 1, 20, 12) == 0);
  CHECK(*held_share(100, 5, 10, 5) == Approx(10));
  CHECK_FALSE(held_share(200, 1, 0, 12));
  CHECK_FALSE(held_share(200, 1, 20, 0));
  CHECK_FALSE(held_share(200, 0, 20, 12));
  CHECK_FALSE(held_share(-1, 1, 20, 12));
}
