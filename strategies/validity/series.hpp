#pragma once
// The measuring window of a load's series, and whether the series' clock can be believed. Times of a series are ends of intervals; the
// first interval is taken to be as long as the second, so the load started one such length before the first time.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

/// When the load started, on the series' clock. nullopt below two intervals (the length is unknown then).
std::optional<double> series_start(const std::vector<Interval>& intervals);

struct WindowRate {
  double qps = 0;        // mean over the window, weighted by time
  double covered_s = 0;  // how much of the window the series covers
};

/// The rate from `warmup_s` to `warmup_s + measure_s` after the load's start; without an end where `measure_s` is 0. The first `skip`
/// intervals (a bogus one) are left out. nullopt where no interval reaches into the window or there are fewer than two.
std::optional<WindowRate> window_rate(const std::vector<Interval>& intervals, double warmup_s, double measure_s, std::size_t skip);

/// The intervals that lie in this window as a whole (a tenth of their length may stick out), without the first `skip` and without rates
/// that are no numbers.
std::vector<Interval> window_intervals(const std::vector<Interval>& intervals, double warmup_s, double measure_s, std::size_t skip);

struct SeriesFault {
  enum class Kind {
    clock,  // the clock was set: times go back, or the series spans more time than the load had
    gap     // an interval took too long: the clock was set, or the load did not get the CPU to report in time
  };
  Kind kind = Kind::clock;
  std::string text;  // a sentence
};

/// What is wrong with the times of a series: a time that is not after the one before, more than `wall_s` plus half an interval from the
/// first time to the last, or an interval longer than 1.5 times the median one; the first of these that holds. `wall_s` is how long the
/// load ran by a clock that nobody sets; absent where that is unknown. The first `skip` intervals are left out. nullopt where nothing is
/// wrong or fewer than two intervals are left.
std::optional<SeriesFault> series_clock_fault(const std::vector<Interval>& intervals, std::optional<double> wall_s, std::size_t skip);

}  // namespace netsettle::strategies
