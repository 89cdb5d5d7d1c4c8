#pragma once
// How a budget is divided between pilot, search and confirmation. Functions of the experiment and the space alone (of the record and the
// clock only where they are handed in), so that they stay the same through a study.

#include <optional>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// A study of a fixed number of trials. The table is at the top of plan.cpp and in docs/statistics.md.
struct BudgetSplit {
  int pilot = 0;                // trials of the baseline alone, in two blocks
  int finalists = 1;            // configurations that meet the baseline in the confirmation
  int confirmation_blocks = 0;  // of the baseline and all finalists; at least kMinimumConfirmation
  int spare = 0;                // trials kept for repeats of invalid ones in the confirmation
  int simplification = 0;       // trials kept for finding a smaller change that is as good
  int search = 0;               // what is left for the search; 0 where nothing is

  int confirmation() const { return confirmation_blocks * (finalists + 1); }
  int after_search() const { return confirmation() + spare + simplification; }
};

/// Fewer fresh blocks prove nothing, whatever they show.
inline constexpr int kMinimumConfirmation = 6;
/// A random search without budget.trials and without a clock.
inline constexpr int kDefaultTrials = 400;

BudgetSplit split_budget(int trials);

/// n0: complete blocks of the confirmation before a finalist may be eliminated, in a study of this many trials; where the confirmation is
/// shorter it is its length.
int first_look(int trials, int confirmation_blocks);

/// The split of this study: by budget.trials, by the number of trials that fit before the clock stops it (`trials_in_all`), whichever is
/// less; a sweep or a list without either has a number of its own: repeats × configurations and what proves the result.
BudgetSplit plan_budget(const StudyView& study, std::optional<int> trials_in_all);

/// Search trials planned so far, first attempts only, baseline included; those of another record are no part of it.
int search_trials_so_far(const StudyView& study);

}  // namespace netsettle::strategies
