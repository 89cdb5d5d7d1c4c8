#pragma once
// Which configurations may be the best by one look at a fixed number of complete blocks, all compared with the best of the others at once.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace netsettle::strategies {

/// The one-sided quantile of Dunnett's test (Dunnett 1955) with equal numbers: d for which all of `comparisons` differences to one control,
/// each with variance 2 s² / n, stay below d s √(2 / n) with probability 1 - alpha; s² has `freedom` degrees of freedom. By numerical
/// integration, to about 1e-8. Absent where comparisons < 1, freedom < 1 or alpha is outside 0..0.5.
std::optional<double> dunnett_quantile(double alpha, int comparisons, double freedom);

struct BestCandidate {
  std::size_t arm = 0;
  double mean = 0;
  double lead = 0;           // mean - the largest of the others
  double low = 0, high = 0;  // of the true lead; low <= 0 <= high: the interval is constrained to say no more than is asked
  bool may_be_best = false;  // high > 0
  bool is_best = false;      // low = 0 and high > 0: all others are worse
};

struct BestSet {
  int blocks = 0;
  double spread = 0;  // s: standard deviation within blocks, common to the arms
  double quantile = 0;
  std::vector<BestCandidate> arms;
};

/// Hsu's multiple comparisons with the best (1984, 1996): theta_i - max of the other theta in [-(D_i - w)⁻, (D_i + w)⁺], D_i the lead, w =
/// d s √(2 / n), together at level 1 - alpha. `blocks` × arms, all complete; s² from what block and arm means leave, (blocks - 1)(arms - 1)
/// degrees of freedom. Takes the arms to be equally noisy: where they are not use kim_nelson(), which does not. Absent below two arms or
/// two blocks, or where a block has another number of arms.
std::optional<BestSet> best_set(std::span<const std::vector<double>> blocks, double alpha = 0.05);

}  // namespace netsettle::strategies
