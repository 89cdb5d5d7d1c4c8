#pragma once
// What the fresh blocks of the confirmation show about the finalists. Nothing of the search is used here.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/designs/blocks.hpp"
#include "strategies/statistics/comparison.hpp"
#include "strategies/statistics/kim_nelson.hpp"

namespace netsettle::strategies {

/// A coefficient of variation of the trials in a block that is nobody's concern; what varies more is restless.
inline constexpr double kHarmlessVariation = 0.05;

/// Spread of a finalist far above that of the baseline in the same blocks.
struct Instability {
  double leader_variation = 0;                          // coefficients of variation
  double baseline_variation = 0;                        // of the reference, where that is another one
  std::optional<std::int64_t> versus_id = kBaselineId;  // the reference: the baseline, another finalist; absent: the search's steadiest
  std::optional<double> p;                              // of the F test; absent where another rule decided
  std::string rule;                                     // "spread-f-test", "worst-trial" or "low-tail"
};

/// How a finalist stands by the decisions of the record.
enum class FinalistState {
  open,        // it takes part in the blocks and may win
  eliminated,  // another finalist is better
  failing,     // a fresh trial of it failed, or its fresh trials violate subject_to
  unstable
};

struct Finalist {
  std::int64_t id = 0;
  FinalistState state = FinalistState::open;
  std::optional<std::int64_t> beaten_by;
  std::optional<PairedComparison> comparison;  // with the baseline, over the complete blocks that have both; at Confirmation::alpha / m
  int failures = 0;                            // trials that it made fail itself
  std::string obstacle;                        // why it cannot win by what the fresh trials show; empty: nothing
  std::optional<Instability> instability;
};

/// The elimination of finalists that was fixed when they were promoted.
struct Selection {
  KimNelsonPlan plan;
  std::size_t arms = 0;   // finalists at the beginning: the constants are for so many
  bool may_claim = true;  // "the best of the finalists": a first confirmation only
};

struct Confirmation {
  int planned = 0;                  // complete blocks wanted
  int tried = 0;                    // blocks begun
  double alpha = 0.025;             // one-sided, of all finalists together; each is tested at alpha / finalists
  std::vector<Finalist> finalists;  // as promoted, the search's best first
  std::vector<Block> complete;      // at most `planned`: the baseline and every configuration in it measured, but for those that failed
  std::optional<Selection> selection;
  /// Of ln(objective), of one trial of the steadiest that the search knew. A baseline that is itself unsteady excuses no finalist: then the
  /// spread is compared with this one.
  std::optional<double> steady_spread;

  int open() const;
  double test_alpha() const;
  const Finalist* find(std::int64_t configuration_id) const;
};

/// Of the finalists that were promoted last, with the blocks begun after that. nullopt before any was promoted, and after the verdict.
std::optional<Confirmation> confirmation_of(const StudyView& study);

/// The fresh blocks as the selection sees them: ln(objective) of the finalists in their order. `blank` those that left for a reason of
/// their own: nobody is compared with them.
std::vector<ArmValues> finalist_values(const Experiment& experiment, const Confirmation& confirmation);

/// objective.stable = "auto". Unstable is a finalist that, over at least 6 values on both sides, compared with the baseline or with another
/// finalist,
/// - has a trial below 0.75 of its mean where the reference has none ("worst-trial"),
/// - varies by more than 5 % and more than the reference at the 1 % level of a one-sided F test on the logarithms ("spread-f-test"), or
/// - over at least 12 values has a 5 % quantile below 0.9 of its mean that is twice as far below it as the reference's ("low-tail").
/// What moves both (drift, blocks) is in both spreads and makes the test milder, never sharper.
std::optional<Instability> find_instability(const std::vector<double>& finalist, const std::vector<double>& reference);

}  // namespace netsettle::strategies
