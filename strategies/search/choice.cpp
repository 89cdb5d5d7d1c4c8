#include "strategies/search/choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strategies/search/plan.hpp"

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

}  // namespace

SearchChoice choose_search(const StudyView& study) {
  const StrategyKind wanted = study.experiment.search.strategy;
  if (wanted == StrategyKind::automatic) return automatic_choice(study);
  if (wanted == StrategyKind::sweep) return sweep_choice(study);
  return {wanted, std::nullopt, fmt::format("{}: the experiment file says so", to_text(wanted))};
}

}  // namespace netsettle::strategies
