#include "strategies/statistics/steady_state.hpp"

#include <algorithm>
#include <cmath>

namespace netsettle::strategies {
namespace {

bool equals_last(const Segment& segment, const Segment& last, const SteadyRule& rule) {
  const double bands = rule.deviations * (std::sqrt(segment.variance) + std::sqrt(last.variance));
  return std::abs(segment.mean - last.mean) <= bands + rule.delta * std::abs(last.mean);
}

double mean_of(std::span<const Segment> segments) {
  double sum = 0, points = 0;
  for (const Segment& segment : segments) {
    const auto n = static_cast<double>(segment.end - segment.begin);
    sum += n * segment.mean;
    points += n;
  }
  return sum / points;
}

SteadyClass class_of(std::span<const Segment> before, std::span<const Segment> steady, const SteadyRule& rule) {
  if (before.empty()) return SteadyClass::flat;
  const Segment& last = steady.back();
  const auto points = static_cast<double>(last.end - before.front().begin);
  if (static_cast<double>(last.end - steady.front().begin) < rule.least_share * points) return SteadyClass::no_steady_state;
  const bool was_higher =
      std::ranges::any_of(before, [&](const Segment& segment) { return segment.mean > last.mean && !equals_last(segment, last, rule); });
  return was_higher ? SteadyClass::slowdown : SteadyClass::warmup;
}

}  // namespace

std::optional<SteadyState> steady_state(std::span<const Segment> segments, const SteadyRule& rule) {
  if (segments.empty()) return std::nullopt;
  std::size_t first = segments.size() - 1;
  while (first > 0 && equals_last(segments[first - 1], segments.back(), rule)) --first;
  const auto before = segments.first(first), steady = segments.subspan(first);
  SteadyState state{.kind = class_of(before, steady, rule), .begin = steady.front().begin, .mean = mean_of(steady), .mean_before = {}};
  if (!before.empty()) state.mean_before = before.back().mean;
  return state;
}

}  // namespace netsettle::strategies
