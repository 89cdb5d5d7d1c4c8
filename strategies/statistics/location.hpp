#pragma once
// Where repeated trials lie, with an interval: the mean, the median, and the Hodges-Lehmann estimate between them. One value a trial or one
// difference a block; never points inside a trial.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct LocationInterval {
  int n = 0;
  double estimate = 0;
  double low = 0, high = 0;
  double coverage = 0;  // probability that the interval holds the truth, under the method's assumption
};

/// mean ± t(1 - alpha, n - 1) s / √n; for normal values. Absent below two values.
std::optional<LocationInterval> mean_interval(std::span<const double> values, double alpha = 0.025);

/// The median, and the narrowest pair of order statistics y(r), y(n + 1 - r) whose exact coverage 1 - 2 P(B < r), B binomial (n, 1/2), is
/// at least 1 - 2 alpha. Of independent values of any continuous distribution. The coverage is a little above what is asked for: 6 values
/// have only smallest to largest, 96.9 %. Absent where even that is below (fewer than 6 values at 95 %).
std::optional<LocationInterval> median_interval(std::span<const double> values, double alpha = 0.025);

/// The median of the means of all pairs, a value with itself included (Hodges, Lehmann 1963), and the interval of the signed-rank
/// statistic's exact distribution (Wilcoxon 1945; Hollander, Wolfe 1999, 3.2); above 200 values its normal approximation. Of independent
/// values of any symmetric distribution; where it is not symmetric the estimate is of the pseudo-median. Absent as for the median.
std::optional<LocationInterval> hodges_lehmann(std::span<const double> values, double alpha = 0.025);

}  // namespace netsettle::strategies
