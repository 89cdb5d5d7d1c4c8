#pragma once
// Comparing two configurations over blocks: paired differences of logarithms, so that what a block did to both cancels and effects are
// ratios. Formulas: statistics.md 1.7.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct PairedComparison {
  int n = 0;          // blocks
  double effect = 0;  // relative: exp(mean difference) - 1
  double low = 0;     // ends of the two-sided interval at level 1 - 2 alpha
  double high = 0;
  double spread = 0;     // standard deviation of the log differences
  double p_greater = 1;  // one-sided: how often equal configurations would look at least this much better
  double alpha = 0.025;  // of the interval
};

/// `log_differences`: one ln(candidate / reference) per block. exp(mean ± t(1 - alpha, n - 1) s / √n) - 1.
/// Absent below two blocks. `alpha` is one-sided: 0.025 gives the 95 % interval.
std::optional<PairedComparison> compare_paired_log(std::span<const double> log_differences, double alpha);

/// How often a spread ratio at least this large comes up where both have the same spread (one-sided F test).
/// Absent below two values on a side or where the reference has no spread at all.
std::optional<double> spread_ratio_p(double standard_deviation, int n, double reference_standard_deviation, int reference_n);

}  // namespace netsettle::strategies
