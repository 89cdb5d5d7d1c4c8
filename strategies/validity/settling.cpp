#include "strategies/validity/settling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "strategies/statistics/autocorrelation.hpp"
#include "strategies/statistics/change_points.hpp"
#include "strategies/validity/series.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kLeastPoints = 10;
constexpr std::size_t kLeastLength = 5;
constexpr std::size_t kMostChanges = 5;
constexpr double kExpectedCorrelation = 0.3, kMostCorrelation = 0.9;
constexpr std::size_t kCorrelationPoints = 20;  // below them a correlation is not worth estimating
constexpr double kPenalty = 6.5;                // × ln n, for each change
constexpr double kLeastChange = 0.03;           // of the last level
constexpr double kLossTolerance = 0.01;

std::vector<double> rates_of(std::span<const Interval> window) {
  std::vector<double> rates;
  for (const Interval& interval : window) rates.push_back(interval.qps);
  return rates;
}

/// Noise and changes of a rate are relative: on this scale a fall by nine tenths stands out of noise that a mean of raw rates drowns in.
std::vector<double> logarithms(std::span<const double> rates) {
  constexpr double kFloor = 1e-3;  // of the largest: a standstill is far below, not infinitely far
  const double least = kFloor * *std::ranges::max_element(rates);
  std::vector<double> logs;
  for (const double rate : rates) logs.push_back(std::log(std::max({rate, least, 1e-9})));
  return logs;
}

std::vector<std::size_t> changes_at(std::span<const double> rates, double penalty) {
  return change_points(rates, {.model = ChangeModel::mean, .penalty = penalty, .least_length = kLeastLength, .most_changes = kMostChanges});
}

/// Variance of a mean over that of independent points, from the correlation of neighbours around the levels of the pieces.
double inflation(std::span<const double> rates, std::span<const std::size_t> changes) {
  std::vector<double> rest(rates.begin(), rates.end());
  const std::vector<Segment> segments = segments_between(rates, changes);
  for (const Segment& segment : segments)
    for (std::size_t i = segment.begin; i < segment.end; ++i) rest[i] -= segment.mean;
  const std::vector<double> rho = autocorrelation(rest, 1);
  const double levels = static_cast<double>(segments.size()) / static_cast<double>(rates.size());  // each level takes about this from rho
  const double neighbours = rho.size() < 2 ? 0 : std::clamp(rho[1] + levels, kExpectedCorrelation, kMostCorrelation);
  return (1 + neighbours) / (1 - neighbours);
}

/// Once at the expected correlation, and again with a higher penalty where what is left is correlated more.
std::vector<std::size_t> level_changes(std::span<const double> rates) {
  const double penalty = kPenalty * std::log(static_cast<double>(rates.size()));
  const auto changes = changes_at(rates, penalty);
  if (changes.empty() || rates.size() < kCorrelationPoints) return changes;
  const double expected = (1 + kExpectedCorrelation) / (1 - kExpectedCorrelation);
  const double more = inflation(rates, changes) / expected;
  return more > 1 ? changes_at(rates, more * penalty) : changes;
}

RateChange change_of(std::span<const Interval> window, const SteadyState& state) {
  const double time_s = window[state.begin - 1].time_s;
  const double window_begin_s = 2 * window[0].time_s - window[1].time_s;
  RateChange change{.time_s = time_s, .after_s = time_s - window_begin_s, .percent = {}};
  if (state.mean_before && *state.mean_before > 0) change.percent = 100 * (state.mean / *state.mean_before - 1);
  return change;
}

/// Time-outs reported until `moment`; the interval across it is divided by time.
double reported_until(double moment, const std::vector<Interval>& intervals, double start) {
  double count = 0, begin = start;
  for (const Interval& interval : intervals) {
    const double length = interval.time_s - begin;
    const double share = length > 0 ? std::clamp((moment - begin) / length, 0.0, 1.0) : 0.0;
    count += share * static_cast<double>(interval.timeouts_before);
    begin = interval.time_s;
  }
  return count;
}

std::int64_t reported_in_series(const LoadReport& load) {
  std::int64_t count = 0;
  for (const Interval& interval : load.intervals) count += interval.timeouts_before;
  return count;
}

/// The load's time-outs are its losses, each reported once.
bool adds_up(const LoadReport& load) {
  const auto difference = static_cast<double>(std::abs(load.timeout_lines - *load.lost));
  return difference <= kLossTolerance * static_cast<double>(*load.lost) && reported_in_series(load) <= load.timeout_lines;
}

/// Answers from the begin of the window to the load's end.
std::optional<double> answered_since(const LoadReport& load, double warmup_s) {
  const auto rate = window_rate(load.intervals, warmup_s, 0, load.first_interval_bogus ? 1 : 0);
  if (!rate) return std::nullopt;
  const double last = load.intervals.back().time_s;
  return rate->qps * (rate->covered_s + std::max(0.0, load.end_time_s.value_or(last) - last));
}

}  // namespace

std::optional<Settling> settling_of(std::span<const Interval> window) {
  if (window.size() < kLeastPoints) return std::nullopt;
  const std::vector<double> rates = rates_of(window);
  const auto changes = level_changes(logarithms(rates));
  const auto state = steady_state(segments_between(rates, changes), {.deviations = 0, .delta = kLeastChange});
  Settling settling{.kind = state->kind, .last_change = {}, .truncation = mser5(rates)};
  if (state->begin > 0) settling.last_change = change_of(window, *state);
  return settling;
}

std::string settling_text(const Settling& settling) {
  if (settling.settled()) return {};
  const RateChange& change = *settling.last_change;
  const std::string by = change.percent ? fmt::format(" by {:+.0f} %", *change.percent) : std::string();
  const std::string text = fmt::format("the rate changed{} {:.1f} s into the measuring window", by, change.after_s);
  switch (settling.kind) {
    case SteadyClass::warmup:
      return text + " and was steady from then on; if every trial begins like this, a longer trial.warmup leaves it out";
    case SteadyClass::slowdown:
      return text + " and had been higher earlier in the window; a longer trial.measure shows which rate lasts";
    default:
      return text + " and what followed is too short to be a steady state; a longer trial.measure shows which rate lasts";
  }
}

std::optional<LossTimes> loss_times(const LoadReport& load, const LossWindow& window) {
  const auto start = series_start(load.intervals);
  if (!start || !load.lost || !adds_up(load)) return std::nullopt;
  const double moment = *start + window.warmup_s + window.timeout_s;
  const bool ends_before = load.intervals.back().time_s < moment;
  if (ends_before && reported_in_series(load) < load.timeout_lines) return std::nullopt;
  const auto burst = std::min<std::int64_t>(*load.lost, std::llround(reported_until(moment, load.intervals, *start)));
  LossTimes times{.burst_lost = burst, .window_lost = *load.lost - burst, .window_lost_percent = {}};
  const auto answered = answered_since(load, window.warmup_s);
  const double sent = answered.value_or(0) + static_cast<double>(times.window_lost);
  if (answered && sent > 0) times.window_lost_percent = 100 * static_cast<double>(times.window_lost) / sent;
  return times;
}

std::optional<double> held_share(std::int64_t lost, double timeout_s, std::int64_t outstanding, double seconds) {
  if (lost < 0 || outstanding <= 0 || !(seconds > 0) || !(timeout_s > 0)) return std::nullopt;
  return static_cast<double>(lost) * timeout_s / (static_cast<double>(outstanding) * seconds);
}

}  // namespace netsettle::strategies
