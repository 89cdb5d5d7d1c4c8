#include <algorithm>

#include "strategies/designs/random.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/search/plan.hpp"

namespace netsettle::strategies {
namespace {

PhasePlan plan_of(const BudgetSplit& split) {
  return {.pilot_trials = split.pilot,
          .finalists = split.finalists,
          .confirmation_blocks = split.confirmation_blocks,
          .search_trials = split.search,
          .spare_trials = split.spare,
          .simplification_trials = split.simplification};
}

}  // namespace

PhasePlan phase_plan(const StudyView& study) { return plan_of(plan_budget(study, std::nullopt)); }

PhasePlan phase_plan(const StudyView& study, const BudgetLeft& left) {
  if (!left.trials_by_time) return phase_plan(study);
  constexpr double kMostTrials = 1'000'000;
  const double fitting = std::clamp(*left.trials_by_time, 0.0, kMostTrials);
  const auto run = std::ranges::count_if(study.trials,
                                         [](const Trial& trial) { return trial.state != TrialState::interrupted && !trial.imported_from; });
  return plan_of(plan_budget(study, static_cast<int>(run) + static_cast<int>(fitting)));
}

std::uint64_t block_seed(std::uint64_t study_seed, int block) { return derive_seed(study_seed, static_cast<std::uint64_t>(block)); }

}  // namespace netsettle::strategies
