#include "strategies/statistics/non_inferiority.hpp"

#include <cmath>
#include <vector>

#include "strategies/statistics/comparison.hpp"

namespace netsettle::strategies {

std::optional<NonInferiority> non_inferiority(std::span<const double> log_differences, double delta, double alpha) {
  if (!(delta > 0 && delta < 1)) return std::nullopt;
  const double margin = std::log1p(-delta);
  std::vector<double> above_margin(log_differences.begin(), log_differences.end());
  for (double& difference : above_margin) difference -= margin;
  const auto comparison = compare_paired_log(above_margin, alpha);
  if (!comparison) return std::nullopt;
  const auto without_margin = [margin](double relative) { return std::expm1(std::log1p(relative) + margin); };
  return NonInferiority{.n = comparison->n,
                        .effect = without_margin(comparison->effect),
                        .low = without_margin(comparison->low),
                        .margin = delta,
                        .p = comparison->p_greater,
                        .holds = comparison->low > 0};
}

}  // namespace netsettle::strategies
