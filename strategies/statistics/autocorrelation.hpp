#pragma once
// How much the points of one series say about each other. For validity and for planning trial lengths only: the unit of inference is the
// trial, never the second (statistics.md 1.4).

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace netsettle::strategies {

/// rho_0 … rho_max_lag of a series in the order of time: sum (x_t - mean)(x_(t+k) - mean) / sum (x_t - mean)² (the biased estimate: the
/// divisor is that of lag 0). Lags beyond n - 1 are left out. Empty where there are fewer than two points or all are equal.
std::vector<double> autocorrelation(std::span<const double> values, std::size_t max_lag);

struct EffectiveSize {
  double tau = 1;   // autocorrelation time, in points
  double size = 0;  // n / tau: independent points that would determine the mean as well
};

/// tau = 1 + 2 sum rho_k by the initial positive sequence (Geyer 1992): the sum stops before the first pair rho_2k + rho_(2k+1) that is not
/// positive. At least 1: series whose neighbours repel each other are not credited with more points than they have.
/// Absent below 10 points or where all are equal.
std::optional<EffectiveSize> effective_sample_size(std::span<const double> values);

}  // namespace netsettle::strategies
