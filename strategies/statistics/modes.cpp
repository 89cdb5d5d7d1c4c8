#include "strategies/statistics/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kLeastValues = 8;
constexpr std::size_t kMostStarts = 16;
constexpr int kMostRounds = 200;
constexpr double kConverged = 1e-8;  // of the log likelihood
constexpr double kVarianceFloor = 1e-6;
constexpr double kLeastBic = 10, kLeastSeparation = 2;

struct Mixture {
  double low = 0, high = 0;
  double variance = 1;
  double share_low = 0.5;
  double log_likelihood = -HUGE_VAL;
};

double log_density(double value, double mean, double variance) {
  return -0.5 * (std::log(2 * std::numbers::pi * variance) + (value - mean) * (value - mean) / variance);
}

/// The mixture that follows from how much each value belongs to the low group.
Mixture maximised(std::span<const double> values, std::span<const double> of_low, double floor) {
  double weight = 0, low = 0, high = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    weight += of_low[i];
    low += of_low[i] * values[i];
    high += (1 - of_low[i]) * values[i];
  }
  Mixture mixture{.low = low / weight, .high = high / (n - weight), .variance = 0, .share_low = weight / n};
  for (std::size_t i = 0; i < values.size(); ++i)
    mixture.variance += of_low[i] * std::pow(values[i] - mixture.low, 2) + (1 - of_low[i]) * std::pow(values[i] - mixture.high, 2);
  mixture.variance = std::max(mixture.variance / n, floor);
  return mixture;
}

/// Fills in the likelihood, and how much each value belongs to the low group.
void expect(std::span<const double> values, Mixture& mixture, std::vector<double>& of_low) {
  mixture.log_likelihood = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double low = std::log(mixture.share_low) + log_density(values[i], mixture.low, mixture.variance);
    const double high = std::log(1 - mixture.share_low) + log_density(values[i], mixture.high, mixture.variance);
    const double larger = std::max(low, high);
    const double sum = larger + std::log(std::exp(low - larger) + std::exp(high - larger));
    mixture.log_likelihood += sum;
    of_low[i] = std::exp(low - sum);
  }
}

/// From the division in which the first `split` of the sorted values are the low group.
Mixture fitted(std::span<const double> sorted, std::size_t split, double floor) {
  std::vector<double> of_low(sorted.size(), 0.0);
  std::fill_n(of_low.begin(), split, 1.0);
  Mixture best;
  for (int round = 0; round < kMostRounds; ++round) {
    Mixture next = maximised(sorted, of_low, floor);
    if (!(next.share_low > 0 && next.share_low < 1)) return best;
    expect(sorted, next, of_low);
    const bool converged = next.log_likelihood - best.log_likelihood < kConverged;
    if (next.log_likelihood > best.log_likelihood) best = next;
    if (converged) return best;
  }
  return best;
}

Mixture best_mixture(std::span<const double> sorted, double floor) {
  const std::size_t stride = std::max<std::size_t>(1, sorted.size() / kMostStarts);
  Mixture best;
  for (std::size_t split = 1; split < sorted.size(); split += stride) {
    if (sorted[split] == sorted[split - 1]) continue;
    const Mixture found = fitted(sorted, split, floor);
    if (found.log_likelihood > best.log_likelihood) best = found;
  }
  return best;
}

}  // namespace

std::optional<TwoModes> two_modes(std::span<const double> values) {
  const auto summary = summarise_values(values);
  if (values.size() < kLeastValues || !(*summary->standard_deviation > 0)) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  const double variance = std::pow(*summary->standard_deviation, 2) * (n - 1) / n;
  double one = 0;
  for (const double value : sorted) one += log_density(value, summary->mean, variance);
  const Mixture two = best_mixture(sorted, kVarianceFloor * variance);
  TwoModes modes{.low = std::min(two.low, two.high),
                 .high = std::max(two.low, two.high),
                 .spread = std::sqrt(two.variance),
                 .share_low = two.low <= two.high ? two.share_low : 1 - two.share_low,
                 .bic_difference = 2 * (two.log_likelihood - one) - 2 * std::log(n)};
  modes.separation = (modes.high - modes.low) / modes.spread;
  modes.distinct = modes.bic_difference > kLeastBic && modes.separation > kLeastSeparation;
  return modes;
}

}  // namespace netsettle::strategies
