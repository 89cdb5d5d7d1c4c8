#include "strategies/search/plan.hpp"

#include <algorithm>

#include "strategies/designs/blocks.hpp"
#include "strategies/search/choice.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kSmallBudget = 60, kLargeBudget = 500;
constexpr double kConfirmationShare = 0.2;
constexpr int kWorthSearching = 4;  // a block with three configurations and the baseline

int pilot_trials(int trials) { return trials < kSmallBudget ? 6 : trials < kLargeBudget ? 8 : 12; }

/// A twentieth of the confirmation in whole blocks, at least one.
int spare_trials(int confirmation_blocks) { return 2 * ((confirmation_blocks + 9) / 10); }

BudgetSplit own_sweep_split(std::size_t configurations, int repeats) {
  const int search = static_cast<int>(configurations) * repeats;
  const int blocks = std::clamp(repeats, kMinimumConfirmation, 20);
  const int spare = spare_trials(blocks);
  return {.pilot = pilot_trials(search + 2 * blocks + spare), .confirmation_blocks = blocks, .spare = spare, .search = search};
}

int total(const BudgetSplit& split) { return split.pilot + split.search + 2 * split.confirmation_blocks + split.spare; }

}  // namespace

BudgetSplit split_budget(int trials) {
  const int pilot = pilot_trials(trials);
  const int share = static_cast<int>(kConfirmationShare * trials / 2);
  const int blocks = trials < kSmallBudget ? kMinimumConfirmation : std::max(kMinimumConfirmation, share);
  const int search = std::max(0, trials - pilot - 2 * blocks);
  const int spare = std::clamp(search - kWorthSearching, 0, spare_trials(blocks));
  return {.pilot = pilot, .confirmation_blocks = blocks, .spare = spare, .search = search - spare};
}

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
