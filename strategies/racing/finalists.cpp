#include "strategies/racing/finalists.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/lineup.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/statistics/kim_nelson.hpp"

namespace netsettle::strategies {
namespace {

/// Confirmations of this study that were begun before.
int confirmations_before(const StudyView& study) {
  int n = 0;
  bool counted = false;
  for (const Decision& decision : study.decisions) {
    if (decision.kind == DecisionKind::promote && !counted) ++n;
    if (decision.kind == DecisionKind::promote) counted = true;
    if (is_verdict(decision.kind)) counted = false;
  }
  return n;
}

/// The error of "beats the baseline", all finalists of this confirmation together.
double family_alpha(int before) { return before == 0 ? kAlpha : std::ldexp(kFurtherAlpha, -before); }

struct Size {
  std::size_t finalists = 0;
  int blocks = 0;
};

Size size_of(std::size_t candidates, const PhasePlan& plan, int affordable) {
  const int trials = std::min(plan.confirmation_trials(), affordable);
  for (auto m = std::min(candidates, static_cast<std::size_t>(plan.finalists)); m > 0; --m) {
    const int blocks = trials / (static_cast<int>(m) + 1);
    if (blocks >= kMinimumConfirmation) return {m, blocks};
  }
  return {};
}

nlohmann::json selection_json(const Size& size, double delta, int look, bool may_claim) {
  nlohmann::json json = {
      {"method", "kim-nelson"}, {"alpha", kSelectionAlpha}, {"delta", delta}, {"first_blocks", look}, {"may_claim", may_claim}};
  if (const auto constants = kim_nelson_constants(size.finalists, kSelectionAlpha, look - 1)) {
    json["eta"] = constants->eta;
    json["h2"] = constants->h2;
  }
  return json;
}

}  // namespace

std::vector<Standing> candidates_of(const StudyView& study, const Standings& standings) {
  const bool went_on = std::ranges::any_of(study.decisions, [](const Decision& decision) { return is_verdict(decision.kind); });
  std::vector<Standing> candidates;
  for (const Standing& standing : standings.others) {
    const bool unstable = std::ranges::any_of(study.decisions, [&](const Decision& decision) {
      return decision.kind == DecisionKind::unstable && decision.configuration_id == standing.id;
    });
    const bool fell = went_on && (unstable || !obstacle_of(study, standing.id, Purpose::confirm).empty());
    if (standing.obstacle.empty() && !fell) candidates.push_back(standing);
  }
  std::ranges::stable_sort(candidates, std::greater{}, [](const Standing& standing) { return strategies::promise(standing); });
  return candidates;
}

std::vector<Decision> promotions(const StudyView& study, const Standings& standings, const PhasePlan& plan, int affordable) {
  const std::vector<Standing> candidates =
      lineup(study, candidates_of(study, standings), static_cast<std::size_t>(std::max(0, plan.finalists)));
  const Size size = size_of(candidates.size(), plan, affordable);
  const int before = confirmations_before(study);
  const double alpha = family_alpha(before);
  const double delta = indifference(study);
  nlohmann::json common = {{"scale", "log"},
                           {"minimum_blocks", kMinimumConfirmation},
                           {"first_block", next_block_number(study)},
                           {"delta", delta},
                           {"finalists", size.finalists},
                           {"alpha_of_all", alpha}};
  const int trials = study.experiment.budget.trials.value_or(static_cast<int>(study.trials.size()));
  if (size.finalists > 1 && delta > 0) common["selection"] = selection_json(size, delta, first_look(trials, size.blocks), before == 0);
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < size.finalists; ++i) {
    nlohmann::json inputs = common;
    inputs["rank"] = i + 1;
    inputs["search_effect"] = candidates[i].belief.mean;
    inputs["search_standard_deviation"] = candidates[i].belief.standard_deviation;
    inputs["search_trials"] = candidates[i].n;
    if (candidates[i].spread) inputs["search_spread"] = *candidates[i].spread;
    if (standings.steady) inputs["steady_spread"] = *standings.steady;
    decisions.push_back({.kind = DecisionKind::promote,
                         .configuration_id = candidates[i].id,
                         .versus = kBaselineId,
                         .method = "paired-t-log",
                         .n = size.blocks,
                         .alpha = alpha / static_cast<double>(size.finalists),
                         .inputs_json = inputs.dump()});
  }
  return decisions;
}

}  // namespace netsettle::strategies
