#pragma once
// What a number of blocks can prove on a machine with a given noise: said before the night, not after it.

#include <optional>

namespace netsettle::strategies {

struct PairedPlan {
  double noise = 0;  // standard deviation of ln(objective) of repeated trials within a block; about the coefficient of variation
  int blocks = 0;
  double alpha = 0.025;  // one-sided
  double power = 0.8;
};

/// The smallest relative difference that the paired test finds with the wanted power. The paired difference has the spread noise × √2;
/// the non-centrality is solved from the non-central t distribution. Absent below two blocks or where the noise is not finite.
std::optional<double> detectable_effect(const PairedPlan& plan);

/// Blocks that the paired test needs to find `effect` (relative, positive) with power 0.8, by the normal approximation
/// 2 (z(1 - alpha) + z(0.8))² noise² / ln(1 + effect)² and one and a half more for the t distribution; at least 6.
/// Absent where effect or noise is not positive or the answer exceeds 10,000.
std::optional<int> blocks_needed(double effect, double noise, double alpha);

}  // namespace netsettle::strategies
