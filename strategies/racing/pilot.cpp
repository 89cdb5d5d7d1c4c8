#include "strategies/racing/pilot.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/pilot_health.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/statistics/planning.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kPower = 0.8;

std::vector<double> pilot_values(const StudyView& study) {
  std::vector<double> values;
  for (const Block& block : only(blocks_of(study), Purpose::pilot))
    for (const Trial* trial : block.trials)
      if (const auto value = objective_of(study.experiment, *trial)) values.push_back(*value);
  return values;
}

nlohmann::json pilot_trials(const StudyView& study) {
  auto list = nlohmann::json::array();
  for (const Block& block : only(blocks_of(study), Purpose::pilot))
    for (const Trial* trial : block.trials)
      if (const auto value = objective_of(study.experiment, *trial))
        list.push_back({{"trial", trial->id}, {"block", block.number}, {"value", *value}});
  return list;
}

/// What the health of the pilot was judged by; what could not be computed is left out.
nlohmann::json health_inputs(const PilotHealth& health) {
  nlohmann::json inputs = {{"findings", nlohmann::json::array()}};
  for (const PilotFinding finding : health.findings) inputs["findings"].push_back(to_text(finding));
  if (const auto& halves = health.halves)
    inputs["halves"] = {{"n_first", halves->n_before}, {"n_second", halves->n_now}, {"effect", halves->effect}, {"p", halves->p}};
  if (health.neighbour_correlation) inputs["neighbour_correlation"] = *health.neighbour_correlation;
  if (const auto& modes = health.modes)
    inputs["modes"] = {{"log_distance", modes->high - modes->low},
                       {"share_low", modes->share_low},
                       {"bic_difference", modes->bic_difference},
                       {"separation", modes->separation}};
  return inputs;
}

std::optional<double> provable_effect(const StudyView& study, int confirmation_blocks, double alpha) {
  const auto noise = pilot_noise(study);
  if (!noise) return std::nullopt;
  return detectable_effect({.noise = *noise, .blocks = confirmation_blocks, .alpha = alpha, .power = kPower});
}

}  // namespace

const Decision* last_decision(const StudyView& study, DecisionKind kind) {
  const auto found = std::find_if(study.decisions.rbegin(), study.decisions.rend(), [&](const Decision& d) { return d.kind == kind; });
  return found == study.decisions.rend() ? nullptr : &*found;
}

Decision pilot_decision(const StudyView& study, int confirmation_blocks, double alpha) {
  const std::vector<double> values = pilot_values(study);
  const auto provable = provable_effect(study, confirmation_blocks, alpha);
  nlohmann::json inputs = {{"objective", study.experiment.objective.maximize},
                           {"confirmation_blocks", confirmation_blocks},
                           {"power", kPower},
                           {"min_effect", study.experiment.objective.min_effect},
                           {"trials", pilot_trials(study)}};
  if (const auto noise = pilot_noise(study)) inputs["noise"] = *noise;
  if (const auto summary = summarise_values(values))
    if (const auto cv = coefficient_of_variation(*summary)) inputs["coefficient_of_variation"] = *cv;
  if (const auto health = pilot_health(study)) inputs["health"] = health_inputs(*health);
  inputs["delta"] = std::max(study.experiment.objective.min_effect, provable.value_or(0));
  return {.kind = DecisionKind::pilot,
          .configuration_id = kBaselineId,
          .versus = kBaselineId,
          .method = "a-a-pilot",
          .n = static_cast<int>(values.size()),
          .effect = provable,
          .alpha = alpha,
          .inputs_json = inputs.dump()};
}

double indifference(const StudyView& study) {
  const Decision* pilot = last_decision(study, DecisionKind::pilot);
  const double provable = pilot != nullptr ? pilot->effect.value_or(0) : 0;
  return std::max(study.experiment.objective.min_effect, provable);
}

std::optional<PilotResult> pilot_of(const StudyView& study) {
  const auto summary = summarise_values(pilot_values(study));
  if (!summary) return std::nullopt;
  const auto cv = coefficient_of_variation(*summary);
  const Decision* decided = last_decision(study, DecisionKind::pilot);
  const PhasePlan plan = phase_plan(study);
  const auto provable = decided != nullptr ? decided->effect : provable_effect(study, plan.confirmation_blocks, kAlpha / plan.finalists);
  auto health = pilot_health(study);
  if (!cv || !provable || !health) return std::nullopt;
  return PilotResult{
      .n = summary->n, .mean = summary->mean, .coefficient_of_variation = *cv, .provable_effect = *provable, .health = std::move(*health)};
}

}  // namespace netsettle::strategies
