#include "strategies/statistics/summary.hpp"

#include <algorithm>
#include <cmath>

namespace netsettle::strategies {

std::optional<Summary> summarise_values(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  Summary summary{.n = 0, .mean = 0, .minimum = values.front(), .maximum = values.front(), .standard_deviation = std::nullopt};
  double squares = 0;
  for (const double value : values) {
    ++summary.n;
    const double before = value - summary.mean;
    summary.mean += before / summary.n;
    squares += before * (value - summary.mean);
    summary.minimum = std::min(summary.minimum, value);
    summary.maximum = std::max(summary.maximum, value);
  }
  if (summary.n >= 2) summary.standard_deviation = std::sqrt(squares / (summary.n - 1));
  return summary;
}

std::optional<double> coefficient_of_variation(const Summary& summary) {
  if (!summary.standard_deviation || !(summary.mean > 0)) return std::nullopt;
  return *summary.standard_deviation / summary.mean;
}

std::optional<double> pooled_standard_deviation(std::span<const Summary> groups) {
  double squares = 0;
  int freedom = 0;
  for (const Summary& group : groups) {
    if (!group.standard_deviation) continue;
    squares += *group.standard_deviation * *group.standard_deviation * (group.n - 1);
    freedom += group.n - 1;
  }
  if (freedom == 0) return std::nullopt;
  return std::sqrt(squares / freedom);
}

}  // namespace netsettle::strategies
