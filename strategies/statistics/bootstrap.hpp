#pragma once
// Intervals by drawing blocks again and again from those that were measured: for quantities that have no formula.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace netsettle::strategies {

struct BootstrapOptions {
  int draws = 9999;
  double alpha = 0.025;  // one-sided: 95 % between the ends
  std::uint64_t seed = 1;
};

struct BootstrapInterval {
  double estimate = 0;
  double low = 0, high = 0;
  double bias = 0;          // z0: 0 where half of the draws lie below the estimate
  double acceleration = 0;  // a
};

/// A quantity of a choice of blocks: indices below the number of blocks, some more than once.
using BlockStatistic = std::function<double(std::span<const std::size_t> blocks)>;

/// The bias-corrected and accelerated interval (BCa; Efron 1987) of a statistic over `blocks` blocks, which are the unit that is drawn: all
/// trials of a block go together. The ends are the (draws + 1) × probability-th smallest of the draws, interpolated, at
/// probability Φ(z0 + (z0 + z) / (1 - a (z0 + z))); z0 counts draws equal to the estimate half; a is the jackknife's.
/// The same blocks, options and statistic give the same interval. Absent below 10 blocks, where it holds the truth too seldom, where a draw
/// is not finite, and where all draws lie on one side of the estimate.
std::optional<BootstrapInterval> bca_interval(std::size_t blocks, const BlockStatistic& statistic, const BootstrapOptions& options = {});

/// Of mean(numerator) / mean(denominator), one value of each in a block. Absent where the lengths differ, too.
std::optional<BootstrapInterval> bca_ratio(std::span<const double> numerator, std::span<const double> denominator,
                                           const BootstrapOptions& options = {});

}  // namespace netsettle::strategies
