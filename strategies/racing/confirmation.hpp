#pragma once
// What the fresh blocks of the confirmation show about the leader. Nothing of the search is used here.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/designs/blocks.hpp"
#include "strategies/statistics/comparison.hpp"

namespace netsettle::strategies {

/// Spread of the leader far above that of the baseline in the same blocks.
struct Instability {
  double leader_variation = 0;  // coefficients of variation
  double baseline_variation = 0;
  std::optional<double> p;  // of the F test; absent where the rule of the worst trial decided
  std::string rule;         // "spread-f-test" or "worst-trial"
};

struct Confirmation {
  std::int64_t leader_id = 0;
  int planned = 0;              // complete blocks wanted, from the promote decision
  int tried = 0;                // blocks begun
  double alpha = 0.025;         // one-sided, from the promote decision
  std::vector<Block> complete;  // both arms measured
  std::optional<PairedComparison> comparison;
  int failures = 0;      // trials that the leader itself made fail
  std::string obstacle;  // why the leader cannot win by what the fresh trials show; empty: none
  std::optional<Instability> instability;
};

/// Of the leader that was promoted last, with the blocks begun after that. nullopt before a leader was promoted, and after the verdict on
/// it.
std::optional<Confirmation> confirmation_of(const StudyView& study);

/// objective.stable = "auto". Unstable is a leader that, over at least 6 values on both sides,
/// - has a trial below 0.75 of its mean where the baseline has none ("worst-trial"), or
/// - varies by more than 5 % and more than the baseline at the 1 % level of a one-sided F test on the logarithms ("spread-f-test").
/// What moves both (drift, blocks) is in both spreads and makes the test milder, never sharper.
std::optional<Instability> find_instability(const std::vector<double>& leader, const std::vector<double>& baseline);

}  // namespace netsettle::strategies
