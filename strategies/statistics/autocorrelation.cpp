#include "strategies/statistics/autocorrelation.hpp"

#include <algorithm>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kLeastPoints = 10;

double lagged_product(std::span<const double> deviations, std::size_t lag) {
  double sum = 0;
  for (std::size_t t = 0; t + lag < deviations.size(); ++t) sum += deviations[t] * deviations[t + lag];
  return sum;
}

std::vector<double> deviations_of(std::span<const double> values) {
  std::vector<double> deviations(values.begin(), values.end());
  const auto summary = summarise_values(values);
  for (double& value : deviations) value -= summary->mean;
  return deviations;
}

}  // namespace

std::vector<double> autocorrelation(std::span<const double> values, std::size_t max_lag) {
  if (values.size() < 2) return {};
  const std::vector<double> deviations = deviations_of(values);
  const double variance = lagged_product(deviations, 0);
  if (!(variance > 0)) return {};
  std::vector<double> result;
  for (std::size_t lag = 0; lag <= std::min(max_lag, values.size() - 1); ++lag)
    result.push_back(lagged_product(deviations, lag) / variance);
  return result;
}

std::optional<EffectiveSize> effective_sample_size(std::span<const double> values) {
  if (values.size() < kLeastPoints) return std::nullopt;
  const std::vector<double> rho = autocorrelation(values, values.size() - 1);
  if (rho.empty()) return std::nullopt;
  double tau = -1;
  for (std::size_t k = 0; k + 1 < rho.size(); k += 2) {
    const double pair = rho[k] + rho[k + 1];
    if (pair <= 0) break;
    tau += 2 * pair;
  }
  tau = std::max(tau, 1.0);
  return EffectiveSize{.tau = tau, .size = static_cast<double>(values.size()) / tau};
}

}  // namespace netsettle::strategies
