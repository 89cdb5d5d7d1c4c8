#pragma once
// Comparing values of two occasions that have no blocks in common: whether what was measured again is what was measured before.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct UnpairedComparison {
  int n_before = 0, n_now = 0;
  double effect = 0;         // relative: exp(mean now - mean before) - 1
  double low = 0, high = 0;  // ends of the two-sided interval at level 1 - 2 alpha
  double p = 1;              // two-sided: how often equal occasions would look at least this different
};

/// Two-sample t with the common variance of both groups, on logarithms; one value on one side is enough where the other has two. Absent
/// where the spread cannot be estimated. What has changed for all trials of an occasion (the machine's drift) is not in the spread: the
/// interval is about trials, not about occasions.
std::optional<UnpairedComparison> compare_unpaired_log(std::span<const double> logs_before, std::span<const double> logs_now, double alpha);

}  // namespace netsettle::strategies
