#include "strategies/validity/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace netsettle::strategies {
namespace {

constexpr double kLongInterval = 1.5;   // times the median
constexpr double kSpanSlack = 0.5;      // intervals
constexpr double kOutsideWindow = 0.1;  // of an interval's length
constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Window {
  double from = 0, to = kEndless;
};

Window window_of(double start, double warmup_s, double measure_s) {
  return {.from = start + warmup_s, .to = measure_s > 0 ? start + warmup_s + measure_s : kEndless};
}

std::vector<double> lengths_of(std::span<const Interval> intervals) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < intervals.size(); ++i) lengths.push_back(intervals[i].time_s - intervals[i - 1].time_s);
  return lengths;
}

/// The lower one of two.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

SeriesFault fault(SeriesFault::Kind kind, std::string text) { return {.kind = kind, .text = std::move(text)}; }

}  // namespace

std::optional<double> series_start(const std::vector<Interval>& intervals) {
  if (intervals.size() < 2) return std::nullopt;
  return intervals[0].time_s - (intervals[1].time_s - intervals[0].time_s);
}

std::optional<WindowRate> window_rate(const std::vector<Interval>& intervals, double warmup_s, double measure_s, std::size_t skip) {
  const auto start = series_start(intervals);
  if (!start) return std::nullopt;
  const Window window = window_of(*start, warmup_s, measure_s);
  double queries = 0, seconds = 0, begin = *start;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double end = intervals[i].time_s;
    const double overlap = std::min(end, window.to) - std::max(begin, window.from);
    if (i >= skip && overlap > 0 && std::isfinite(intervals[i].qps)) {
      queries += overlap * intervals[i].qps;
      seconds += overlap;
    }
    begin = end;
  }
  if (!(seconds > 0)) return std::nullopt;
  return WindowRate{.qps = queries / seconds, .covered_s = seconds};
}

std::vector<Interval> window_intervals(const std::vector<Interval>& intervals, double warmup_s, double measure_s, std::size_t skip) {
  const auto start = series_start(intervals);
  if (!start) return {};
  const Window window = window_of(*start, warmup_s, measure_s);
  std::vector<Interval> inside;
  double begin = *start;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double end = intervals[i].time_s;
    const double slack = kOutsideWindow * (end - begin);
    if (i >= skip && begin >= window.from - slack && end <= window.to + slack && std::isfinite(intervals[i].qps))
      inside.push_back(intervals[i]);
    begin = end;
  }
  return inside;
}

std::optional<SeriesFault> series_clock_fault(const std::vector<Interval>& intervals, std::optional<double> wall_s, std::size_t skip) {
  if (intervals.size() < skip + 2) return std::nullopt;
  const auto believed = std::span(intervals).subspan(skip);
  const std::vector<double> lengths = lengths_of(believed);
  for (const double length : lengths)
    if (!(length > 0))
      return fault(SeriesFault::Kind::clock,
                   fmt::format("the times of the series went from one interval to the next by {:.0f} ms", length * 1e3));
  const double median = median_of(lengths);
  const double span = believed.back().time_s - believed.front().time_s;
  if (wall_s && span > *wall_s + kSpanSlack * median)
    return fault(SeriesFault::Kind::clock, fmt::format("the series spans {:.1f} s, the load ran for {:.1f} s", span, *wall_s));
  const double longest = *std::ranges::max_element(lengths);
  if (longest > kLongInterval * median)
    return fault(SeriesFault::Kind::gap, fmt::format("an interval took {:.2f} s, the others {:.2f} s", longest, median));
  return std::nullopt;
}

}  // namespace netsettle::strategies
