#pragma once
// Which of a few configurations is the best: the fully sequential procedure of Kim and Nelson (2001) over complete blocks. It may be looked
// at after every block and keeps its error. Replayed from the record: nothing is carried from look to look.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace netsettle::strategies {

/// What is known beforehand about the variance of differences: of the same arms, from other blocks. Their means are never used.
struct BorrowedVariance {
  double freedom = 0;                  // degrees of freedom behind each of them
  std::vector<double> of_differences;  // arms × arms, row by row: the variance of value_i - value_l within a block
};

/// The same variance for each pair: 2 × noise², with `noise` the standard deviation of one value within a block. The guarantee then needs
/// arms that are about equally noisy.
BorrowedVariance borrowed_noise(std::size_t arms, double noise, double freedom);

/// Fixed before the first block.
struct KimNelsonPlan {
  double alpha = 0.05;   // probability of a wrong selection
  double delta = 0.01;   // smallest difference worth finding, > 0, in the unit of the values: of logarithms ln(1 + relative difference)
  int first_blocks = 8;  // n0: before so many complete blocks nothing is eliminated; at least 2
  std::optional<BorrowedVariance> borrowed;
};

/// eta = ((2 alpha / (arms - 1))^(-2 / freedom) - 1) / 2 and h² = 2 eta freedom.
struct KimNelsonConstants {
  double freedom = 0;  // n0 - 1 and what is borrowed
  double eta = 0, h2 = 0;
};
/// Absent below two arms or one degree of freedom, and where 2 alpha / (arms - 1) is outside 0..1.
std::optional<KimNelsonConstants> kim_nelson_constants(std::size_t arms, double alpha, double freedom);

struct KimNelsonLeave {
  std::size_t arm = 0;
  std::optional<std::size_t>
      by;               // the arm that beat it; absent where it was withdrawn: it has no value in `block`, for a reason of its own
  int block = 0;        // complete blocks seen by then (of the withdrawn: before it)
  double behind = 0;    // mean of `by` - mean of `arm` over these blocks
  double boundary = 0;  // W / block: what `behind` had to exceed
};

struct KimNelsonResult {
  KimNelsonConstants constants;
  int blocks = 0;                      // looked at
  std::vector<KimNelsonLeave> left;    // in order
  std::vector<std::size_t> survivors;  // rising
  std::size_t leader = 0;              // of the survivors the one with the largest mean, the first of equals
  std::optional<int> most_blocks;      // after which only one can be left; absent below first_blocks
};

/// The values of one block, one an arm, in the order of the arms. Where an arm that is still compared has none it is withdrawn. What
/// stands behind an arm's name after it left is not looked at.
using ArmValues = std::vector<std::optional<double>>;

/// `blocks` in the order in which they were run, all with the same arms. After each block r >= n0: arm i leaves where for some other l
///   mean_i < mean_l - W_il / r,  W_il = max(0, (delta / 2) (h² S_il² / delta² - r)),
/// with the means over r blocks and S_il² the variance of the differences over the first n0, pooled with what was borrowed. Arms are
/// compared with those that were left before the block. Where W is 0 and the means are equal the later arm leaves.
///
/// With normal values whose differences between blocks are independent, the one that is left at the end is the best with probability of at
/// least 1 - alpha wherever the best leads by delta or more; equal variances are not needed and what a block does to all arms cancels.
/// Absent where the constants are, n0 < 2, delta is not positive, a block has another number of arms, or what was borrowed does.
std::optional<KimNelsonResult> kim_nelson(std::span<const ArmValues> blocks, std::size_t arms, const KimNelsonPlan& plan);

/// The smallest delta' for which the procedure, planned with delta' instead of plan.delta and shown the same blocks, would by now have
/// only one arm left, and which arm that is. Meaning: "`arm` is within delta' of the best arm". For the case that the blocks ended before
/// the procedure did; where it ended, the planned delta is the statement. An arm that left has no later values, so delta' can be below
/// plan.delta only as far as the values go.
///
/// W falls as delta grows, so crossing at delta' is crossing at every larger one: choosing delta' by the data is paid for only by paths
/// that would have crossed the other side before, which `stopping_sweep` counts. Absent where no delta' has that: below n0 blocks, or where
/// the means of two arms are equal.
struct AchievedDelta {
  double delta = 0;  // in the unit of the values
  std::size_t arm = 0;
};
std::optional<AchievedDelta> achieved_delta(std::span<const ArmValues> blocks, std::size_t arms, const KimNelsonPlan& plan);

/// The delta for which about `trials` trials (all arms and blocks counted) are enough where the best leads by it:
/// noise √(0.9 arms h² / trials), with `noise` the standard deviation of one value within a block; 0.45 × arms × the most blocks is the
/// mean number of trials that was measured (statistics.md 7.5). Absent where the constants are, or noise or trials is not positive.
std::optional<double> kim_nelson_delta(double noise, std::size_t arms, int trials, double alpha, double freedom);

}  // namespace netsettle::strategies
