#pragma once
// How a budget is divided between pilot, search and confirmation. Functions of the experiment and the space alone (of the record and the
// clock only where they are handed in), so that they stay the same through a study.

#include <optional>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// A study of a fixed number of trials. The table is in docs/statistics.md.
struct BudgetSplit {
  int pilot = 0;                // trials of the baseline alone, in two blocks
  int confirmation_blocks = 0;  // of two trials each; at least kMinimumConfirmation
  int spare = 0;                // trials kept for repeats of invalid ones in the confirmation
  int search = 0;               // what is left for the search; 0 where nothing is
};

/// Fewer fresh blocks prove nothing, whatever they show.
inline constexpr int kMinimumConfirmation = 6;
/// A random search without budget.trials and without a clock.
inline constexpr int kDefaultTrials = 400;

BudgetSplit split_budget(int trials);

/// The split of this study: by budget.trials, by the number of trials that fit before the clock stops it (`trials_in_all`), whichever is
/// less; a sweep or a list without either has a number of its own: repeats × configurations and what proves the result.
BudgetSplit plan_budget(const StudyView& study, std::optional<int> trials_in_all);

/// Search trials planned so far, first attempts only, baseline included; those of another record are no part of it.
int search_trials_so_far(const StudyView& study);

}  // namespace netsettle::strategies
