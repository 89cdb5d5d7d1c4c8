#include "strategies/search/plan.hpp"

#include <algorithm>

#include "strategies/designs/blocks.hpp"
#include "strategies/search/choice.hpp"

namespace netsettle::strategies {
namespace {

/// How a study of `from` trials and more is divided. Shares are of all trials.
struct Division {
  int from;
  int pilot;              // trials
  int finalists;          // at most
  double confirmation;    // share for the fresh blocks of baseline and finalists
  double simplification;  // share
  int first_look;         // n0
};
constexpr Division kDivisions[] = {
    {.from = 0, .pilot = 6, .finalists = 1, .confirmation = 0, .simplification = 0, .first_look = 8},
    {.from = 60, .pilot = 6, .finalists = 1, .confirmation = 0.12, .simplification = 0, .first_look = 8},
    {.from = 200, .pilot = 8, .finalists = 3, .confirmation = 0.15, .simplification = 0, .first_look = 8},
    {.from = 300, .pilot = 8, .finalists = 4, .confirmation = 0.20, .simplification = 0.05, .first_look = 8},
    {.from = 500, .pilot = 12, .finalists = 6, .confirmation = 0.20, .simplification = 0.05, .first_look = 12},
};
constexpr int kWorthSearching = 4;  // a block with three configurations and the baseline

const Division& division_of(int trials) {
  const Division* found = kDivisions;
  for (const Division& division : kDivisions)
    if (division.from <= trials) found = &division;
  return *found;
}

/// A tenth of the confirmation's blocks, at least one block.
int spare_trials(int confirmation_blocks, int finalists) { return (finalists + 1) * ((confirmation_blocks + 9) / 10); }

BudgetSplit own_sweep_split(std::size_t configurations, int repeats) {
  const int search = static_cast<int>(configurations) * repeats;
  const Division& division = division_of(search);
  const int finalists = std::clamp(static_cast<int>(configurations) - 1, 1, division.finalists);
  const int blocks = std::clamp(repeats, kMinimumConfirmation, 20);
  return {.pilot = division.pilot,
          .finalists = finalists,
          .confirmation_blocks = blocks,
          .spare = spare_trials(blocks, finalists),
          .simplification = static_cast<int>(division.simplification * search),
          .search = search};
}

int total(const BudgetSplit& split) { return split.pilot + split.search + split.after_search(); }

}  // namespace

BudgetSplit split_budget(int trials) {
  const Division& division = division_of(trials);
  BudgetSplit split{.pilot = division.pilot, .finalists = division.finalists, .confirmation_blocks = kMinimumConfirmation};
  const int share = static_cast<int>(division.confirmation * trials);
  split.confirmation_blocks = std::max(kMinimumConfirmation, share / (split.finalists + 1));
  split.simplification = static_cast<int>(division.simplification * trials);
  const int search = std::max(0, trials - split.pilot - split.confirmation() - split.simplification);
  split.spare = std::clamp(search - kWorthSearching, 0, spare_trials(split.confirmation_blocks, split.finalists));
  split.search = search - split.spare;
  return split;
}

int first_look(int trials, int confirmation_blocks) { return std::min(division_of(trials).first_look, confirmation_blocks); }

BudgetSplit plan_budget(const StudyView& study, std::optional<int> trials_in_all) {
  std::optional<int> trials = study.experiment.budget.trials;
  if (trials_in_all) trials = trials ? std::min(*trials, *trials_in_all) : *trials_in_all;
  if (study.experiment.budget.trials && trials) return split_budget(*trials);
  const SearchChoice choice = choose_search(study);
  if (choice.configurations) {
    const BudgetSplit own = own_sweep_split(*choice.configurations, study.experiment.search.repeats);
    return trials && *trials < total(own) ? split_budget(*trials) : own;
  }
  return split_budget(trials.value_or(kDefaultTrials));
}

int search_trials_so_far(const StudyView& study) {
  int n = 0;
  for (const Block& block : blocks_of(study))
    if (block.purpose == Purpose::search && !block.trials.front()->imported_from) n += static_cast<int>(block.trials.size());
  return n;
}

}  // namespace netsettle::strategies
