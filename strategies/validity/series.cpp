#include "strategies/validity/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace netsettle::strategies {

std::optional<WindowRate> window_rate(const std::vector<Interval>& intervals, double warmup_s, double measure_s, std::size_t skip) {
  if (intervals.size() < 2) return std::nullopt;
  const double first_length = intervals[1].time_s - intervals[0].time_s;
  const double start = intervals[0].time_s - first_length;
  const double from = start + warmup_s;
  const double to = measure_s > 0 ? from + measure_s : std::numeric_limits<double>::infinity();
  double queries = 0, seconds = 0, begin = start;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double end = intervals[i].time_s;
    const double overlap = std::min(end, to) - std::max(begin, from);
    if (i >= skip && overlap > 0 && std::isfinite(intervals[i].qps)) {
      queries += overlap * intervals[i].qps;
      seconds += overlap;
    }
    begin = end;
  }
  if (!(seconds > 0)) return std::nullopt;
  return WindowRate{.qps = queries / seconds, .covered_s = seconds};
}

}  // namespace netsettle::strategies
