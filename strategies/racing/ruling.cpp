#include "strategies/racing/ruling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/racing/pilot.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kEnoughToHandOver = 0.95;

/// The search's belief in the leader, updated by the fresh blocks.
std::optional<double> posterior_of(const StudyView& study, std::int64_t leader_id, const Confirmation* confirmation) {
  const auto standings = standings_of(study);
  if (!standings) return std::nullopt;
  for (const Standing& standing : standings->others) {
    if (standing.id != leader_id) continue;
    NormalBelief belief = standing.belief;
    if (confirmation != nullptr && confirmation->comparison) {
      const auto differences = summarise_values(log_differences(study.experiment, confirmation->complete, leader_id));
      const double spread = std::max(*differences->standard_deviation, standings->noise);  // a lucky small spread proves nothing
      belief = updated(belief, differences->mean, spread / std::sqrt(differences->n));
    }
    return probability_above(belief, 0);
  }
  return std::nullopt;
}

Ground ground_of(const StudyView& study, const Confirmation& confirmation) {
  if (confirmation.failures > 0) return Ground::obstacle;
  if (std::ssize(confirmation.complete) < kMinimumConfirmation || !confirmation.comparison) return Ground::too_few;
  if (!confirmation.obstacle.empty()) return Ground::obstacle;
  if (confirmation.instability) return Ground::unstable;
  const PairedComparison& comparison = *confirmation.comparison;
  if (comparison.low > 0) return comparison.high < study.experiment.objective.min_effect ? Ground::negligible : Ground::proven;
  return comparison.high < indifference(study) ? Ground::ruled_out : Ground::not_proven;
}

DecisionKind decision_kind(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::winner:
      return DecisionKind::winner;
    case VerdictKind::no_improvement:
      return DecisionKind::no_improvement;
    case VerdictKind::cannot_tell:
      return DecisionKind::cannot_tell;
  }
  return DecisionKind::cannot_tell;
}

/// Under which budget the verdict was given: a larger one lets the study go on.
void note_budget(const StudyView& study, nlohmann::json& inputs) {
  if (!study.experiment.budget.trials) return;
  inputs["budget_trials"] = *study.experiment.budget.trials;
  inputs["trials_spent"] = std::ranges::count_if(study.trials, [](const Trial& trial) {
    const bool own = trial.purpose == Purpose::manual || trial.purpose == Purpose::profile;
    return trial.state != TrialState::interrupted && !trial.imported_from && !own;
  });
}

nlohmann::json trial_json(const StudyView& study, const Block& block, std::int64_t configuration_id) {
  for (const Trial* trial : block.trials)
    if (trial->configuration_id == configuration_id)
      if (const auto value = objective_of(study.experiment, *trial)) return {{"trial", trial->id}, {"value", *value}};
  return nullptr;
}

/// The statement of a winner, without what was said of a search that went on.
std::string first_verdict_of(const nlohmann::json& inputs) {
  const auto original = inputs.find("proven_statement");
  const auto statement = original != inputs.end() ? original : inputs.find("statement");
  return statement != inputs.end() && statement->is_string() ? statement->get<std::string>() : std::string();
}

nlohmann::json inputs_json(const StudyView& study, const Ruling& ruling) {
  nlohmann::json inputs = {{"ground", to_text(ruling.ground)},
                           {"leader", ruling.leader_id},
                           {"objective", study.experiment.objective.maximize},
                           {"delta", indifference(study)},
                           {"min_effect", study.experiment.objective.min_effect},
                           {"statement", statement_of(study, ruling)}};
  note_budget(study, inputs);
  if (ruling.posterior) inputs["posterior"] = *ruling.posterior;
  if (!ruling.confirmation) return inputs;
  auto blocks = nlohmann::json::array();
  for (const Block& block : ruling.confirmation->complete)
    blocks.push_back({{"block", block.number},
                      {"leader", trial_json(study, block, ruling.leader_id)},
                      {"baseline", trial_json(study, block, kBaselineId)}});
  inputs["planned_blocks"] = ruling.confirmation->planned;
  inputs["blocks"] = std::move(blocks);
  return inputs;
}

}  // namespace

std::string_view to_text(Ground ground) {
  switch (ground) {
    case Ground::proven:
      return "proven";
    case Ground::ruled_out:
      return "ruled-out";
    case Ground::negligible:
      return "negligible";
    case Ground::not_proven:
      return "not-proven";
    case Ground::too_few:
      return "too-few";
    case Ground::obstacle:
      return "obstacle";
    case Ground::unstable:
      return "unstable";
    case Ground::no_room:
      return "no-room";
    case Ground::no_candidate:
      return "no-candidate";
    case Ground::no_baseline:
      return "no-baseline";
    case Ground::stopped:
      return "stopped";
  }
  return "";
}

Ruling rule_confirmed(const StudyView& study, const Confirmation& confirmation) {
  return {.ground = ground_of(study, confirmation),
          .leader_id = confirmation.leader_id,
          .confirmation = confirmation,
          .posterior = posterior_of(study, confirmation.leader_id, &confirmation)};
}

Ruling rule_unconfirmed(const StudyView& study, Ground ground) {
  Ruling ruling{.ground = ground, .leader_id = kBaselineId, .confirmation = std::nullopt, .posterior = std::nullopt};
  const auto standings = standings_of(study);
  const Standing* leader = standings ? leader_of(*standings) : nullptr;
  if (leader == nullptr) return ruling;
  ruling.leader_id = leader->id;
  ruling.posterior = posterior_of(study, leader->id, nullptr);
  return ruling;
}

VerdictKind kind_of(Ground ground) {
  switch (ground) {
    case Ground::proven:
      return VerdictKind::winner;
    case Ground::ruled_out:
    case Ground::negligible:
      return VerdictKind::no_improvement;
    default:
      return VerdictKind::cannot_tell;
  }
}

std::int64_t handed_over(const Ruling& ruling) {
  if (ruling.ground == Ground::proven) return ruling.leader_id;
  const bool open = ruling.ground == Ground::not_proven || ruling.ground == Ground::too_few || ruling.ground == Ground::no_room ||
                    ruling.ground == Ground::stopped;
  return open && ruling.posterior.value_or(0) >= kEnoughToHandOver ? ruling.leader_id : kBaselineId;
}

Decision final_decision(const StudyView& study, const Ruling& ruling) {
  Decision decision{.kind = decision_kind(kind_of(ruling.ground)),
                    .configuration_id = handed_over(ruling),
                    .versus = kBaselineId,
                    .method = "paired-t-log",
                    .n = ruling.confirmation ? static_cast<int>(ruling.confirmation->complete.size()) : 0,
                    .alpha = ruling.confirmation ? ruling.confirmation->alpha : kAlpha,
                    .inputs_json = inputs_json(study, ruling).dump()};
  if (ruling.confirmation && ruling.confirmation->comparison) {
    const PairedComparison& comparison = *ruling.confirmation->comparison;
    decision.effect = comparison.effect;
    decision.low = comparison.low;
    decision.high = comparison.high;
    decision.p = comparison.p_greater;
  }
  return decision;
}

Decision conclusion(const StudyView& study, const Ruling& ruling) {
  Decision decision = final_decision(study, ruling);
  const Decision* const earlier = last_decision(study, DecisionKind::winner);
  if (earlier == nullptr || decision.kind == DecisionKind::winner) return decision;
  Decision kept = *earlier;
  auto inputs = nlohmann::json::parse(earlier->inputs_json, nullptr, false);
  if (!inputs.is_object()) return decision;
  auto further = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  inputs["proven_statement"] = first_verdict_of(inputs);
  inputs["statement"] = fmt::format("{} The search went on, and nothing else was proven.", first_verdict_of(inputs));
  note_budget(study, inputs);
  inputs["further"] = std::move(further);
  kept.inputs_json = inputs.dump();
  return kept;
}

}  // namespace netsettle::strategies
