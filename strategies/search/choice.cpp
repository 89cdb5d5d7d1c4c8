#include "strategies/search/choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strategies/search/manual.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/screening_plan.hpp"

namespace netsettle::strategies {
namespace {

/// Every configuration; absent where there are more than `limit`.
std::optional<std::size_t> size_of(const SearchSpace& space, std::size_t limit) {
  const auto all = space.enumerate(limit);
  if (!all) return std::nullopt;
  return all->size();
}

SearchChoice modelled(std::string why) { return {StrategyKind::bayesian, std::nullopt, "bayesian: " + std::move(why)}; }

SearchChoice automatic_without_trials(const StudyView& study) {
  if (const auto size = size_of(study.space, kMostSweptUnbounded))
    return {StrategyKind::sweep, size, fmt::format("sweep: the space has {} configurations and no number of trials limits it", *size)};
  return modelled(fmt::format("the space has more than {} configurations", kMostSweptUnbounded));
}

SearchChoice automatic_choice(const StudyView& study) {
  if (!study.experiment.budget.trials) return automatic_without_trials(study);
  const int repeats = study.experiment.search.repeats;
  const int search = split_budget(*study.experiment.budget.trials).search;
  const auto limit = static_cast<std::size_t>(std::max(0, search / std::max(1, repeats)));
  if (const auto size = size_of(study.space, std::min(limit, kMostSwept)))
    return {StrategyKind::sweep, size,
            fmt::format("sweep: the space has {} configurations and the budget allows {} trials of each", *size, repeats)};
  if (search < kLeastModelled)
    return {StrategyKind::random, std::nullopt,
            fmt::format("random: {} trials for the search are fewer than the {} that a model needs", search, kLeastModelled)};
  return modelled(fmt::format("{} trials for the search do not allow {} of each configuration of the space", search, repeats));
}

SearchChoice sweep_choice(const StudyView& study) {
  if (const auto size = size_of(study.space, kMostSwept))
    return {
        StrategyKind::sweep, size,
        fmt::format("sweep: the experiment file says so; {} configurations, {} trials of each", *size, study.experiment.search.repeats)};
  return {StrategyKind::random, std::nullopt,
          fmt::format("random: a sweep was wanted, but the space has more than {} configurations", kMostSwept)};
}

SearchChoice manual_choice(const StudyView& study) {
  const std::size_t listed = manual_list(study).size();
  if (listed == 0) return {StrategyKind::manual, 1, "manual: search.start has no configuration of the space, so nothing is tried"};
  return {StrategyKind::manual, listed + 1,
          fmt::format("manual: search.start has {} {}, {} trials of each", listed, listed == 1 ? "configuration" : "configurations",
                      study.experiment.search.repeats)};
}

SearchChoice screening_choice(const StudyView& study) {
  const int search = split_budget(study.experiment.budget.trials.value_or(kDefaultTrials)).search;
  const int least = least_screening_trials(study.space);
  if (search >= least) return {StrategyKind::screening, std::nullopt, "screening: the experiment file says so"};
  return {StrategyKind::random, std::nullopt,
          fmt::format("random: a screening was wanted, but {} parameters need {} trials of the search, and there are {}",
                      study.space.domains().size(), least, search)};
}

}  // namespace

SearchChoice choose_search(const StudyView& study) {
  const StrategyKind wanted = study.experiment.search.strategy;
  if (wanted == StrategyKind::automatic) return automatic_choice(study);
  if (wanted == StrategyKind::sweep) return sweep_choice(study);
  if (wanted == StrategyKind::manual) return manual_choice(study);
  if (wanted == StrategyKind::screening) return screening_choice(study);
  return {wanted, std::nullopt, fmt::format("{}: the experiment file says so", to_text(wanted))};
}

}  // namespace netsettle::strategies
