#include "strategies/racing/ruling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "strategies/racing/finalists.hpp"
#include "strategies/racing/instead.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/racing/simplification.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

bool is_proven(const Finalist& finalist, double min_effect) {
  const auto& comparison = finalist.comparison;
  return could_win(finalist) && comparison && comparison->n >= kMinimumConfirmation && comparison->low > 0 &&
         comparison->high >= min_effect;
}

/// By belief; where the search does not know one, by what the fresh blocks show.
double promise(const Ruling& ruling, const Finalist& finalist) {
  if (const auto found = ruling.beliefs.find(finalist.id); found != ruling.beliefs.end()) return found->second.mean;
  return finalist.comparison ? std::log1p(finalist.comparison->effect) : -std::numeric_limits<double>::infinity();
}

template <typename Wanted>
const Finalist* best_where(const Ruling& ruling, Wanted wanted) {
  const Finalist* best = nullptr;
  for (const Finalist& finalist : ruling.confirmation->finalists)
    if (wanted(finalist) && (best == nullptr || promise(ruling, finalist) > promise(ruling, *best))) best = &finalist;
  return best;
}

Ground ground_of(const StudyView& study, const Ruling& ruling, const Finalist& leader) {
  const double min_effect = study.experiment.objective.min_effect;
  if (!could_win(leader)) {
    const bool obstructed = leader.failures > 0 || !leader.obstacle.empty();
    return obstructed ? Ground::obstacle : Ground::unstable;
  }
  if (!leader.comparison || leader.comparison->n < kMinimumConfirmation) return Ground::too_few;
  if (is_proven(leader, min_effect)) return Ground::proven;
  const double delta = indifference(study);
  const auto open_above = [&](const Finalist& finalist) {
    return could_win(finalist) && finalist.comparison && finalist.comparison->high >= delta;
  };
  if (std::ranges::any_of(ruling.confirmation->finalists, open_above)) return Ground::not_proven;
  return leader.comparison->low > 0 ? Ground::negligible : Ground::ruled_out;
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

nlohmann::json block_json(const StudyView& study, const Block& block) {
  auto trials = nlohmann::json::array();
  for (const Trial* trial : block.trials)
    if (const auto value = objective_of(study.experiment, *trial))
      trials.push_back({{"trial", trial->id}, {"configuration", trial->configuration_id}, {"value", *value}});
  return {{"block", block.number}, {"trials", std::move(trials)}};
}

std::string_view standing_of(const StudyView& study, const Finalist& finalist) {
  switch (finalist.state) {
    case FinalistState::eliminated:
      return "eliminated";
    case FinalistState::failing:
      return "failing";
    case FinalistState::unstable:
      return "unstable";
    case FinalistState::open:
      break;
  }
  return is_proven(finalist, study.experiment.objective.min_effect) ? "proven" : "not proven";
}

nlohmann::json finalists_json(const StudyView& study, const Ruling& ruling) {
  auto list = nlohmann::json::array();
  for (const Finalist& finalist : ruling.confirmation->finalists) {
    nlohmann::json json = {{"configuration", finalist.id}, {"standing", standing_of(study, finalist)}, {"blocks", 0}};
    if (const auto& comparison = finalist.comparison) {
      json["blocks"] = comparison->n;
      json["effect"] = comparison->effect;
      json["low"] = comparison->low;
      json["high"] = comparison->high;
      json["p"] = comparison->p_greater;
    }
    if (finalist.beaten_by) json["beaten_by"] = *finalist.beaten_by;
    if (const auto found = ruling.beliefs.find(finalist.id); found != ruling.beliefs.end()) {
      json["belief"] = found->second.mean;
      json["posterior"] = probability_better(found->second);
    }
    list.push_back(std::move(json));
  }
  return list;
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
  if (const auto posterior = ruling.posterior()) inputs["posterior"] = *posterior;
  if (!ruling.confirmation) return inputs;
  auto blocks = nlohmann::json::array();
  for (const Block& block : ruling.confirmation->complete) blocks.push_back(block_json(study, block));
  if (ruling.instead_id) inputs["instead"] = *ruling.instead_id;
  if (ruling.smallest_id) inputs["smallest"] = *ruling.smallest_id;
  inputs["planned_blocks"] = ruling.confirmation->planned;
  inputs["alpha_of_all"] = ruling.confirmation->alpha;
  inputs["finalists"] = finalists_json(study, ruling);
  inputs["blocks"] = std::move(blocks);
  if (const auto& best = ruling.best)
    inputs["best_of_finalists"] = {
        {"delta", best->delta}, {"achieved", best->achieved}, {"alpha", best->alpha}, {"compared", best->compared}};
  return inputs;
}

}  // namespace

std::optional<double> Ruling::posterior() const {
  const auto found = beliefs.find(leader_id);
  return found == beliefs.end() ? std::nullopt : std::optional(probability_better(found->second));
}

bool could_win(const Finalist& finalist) {
  return finalist.state == FinalistState::open && finalist.failures == 0 && finalist.obstacle.empty() && !finalist.instability;
}

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

Ruling rule_confirmed(const StudyView& study, const Confirmation& confirmation, SurrogateMemory* memory) {
  Ruling ruling{.confirmation = confirmation};
  const auto standings = standings_of(study, memory);
  if (standings)
    for (const Finalist& finalist : confirmation.finalists)
      if (const auto belief = final_belief(study, *standings, finalist.id, &confirmation)) ruling.beliefs[finalist.id] = *belief;
  const double min_effect = study.experiment.objective.min_effect;
  const Finalist* leader = best_where(ruling, [&](const Finalist& finalist) { return is_proven(finalist, min_effect); });
  if (leader == nullptr) leader = best_where(ruling, could_win);
  if (leader == nullptr) leader = &ruling.confirmation->finalists.front();
  ruling.leader_id = leader->id;
  ruling.ground = ground_of(study, ruling, *leader);
  if (const auto other = standings && !could_win(*leader) ? believed_instead(study, *standings, confirmation) : std::nullopt) {
    ruling.instead_id = other->id;
    ruling.beliefs[other->id] = other->belief;
  }
  if (ruling.ground == Ground::proven) ruling.best = best_of_finalists(study.experiment, confirmation);
  if (ruling.best && ruling.best->id != ruling.leader_id) ruling.best.reset();
  if (ruling.ground == Ground::proven) ruling.smallest_id = simplification_of(study).smallest_id;
  return ruling;
}

Ruling rule_unconfirmed(const StudyView& study, Ground ground, SurrogateMemory* memory) {
  Ruling ruling{.ground = ground};
  const auto standings = standings_of(study, memory);
  const auto candidates = standings ? candidates_of(study, *standings) : std::vector<Standing>{};
  if (candidates.empty()) return ruling;
  ruling.leader_id = candidates.front().id;
  if (const auto belief = final_belief(study, *standings, ruling.leader_id, nullptr)) ruling.beliefs[ruling.leader_id] = *belief;
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
  if (ruling.instead_id) return *ruling.instead_id;
  const bool open = ruling.ground == Ground::not_proven || ruling.ground == Ground::too_few || ruling.ground == Ground::no_room ||
                    ruling.ground == Ground::stopped;
  if (!open || ruling.posterior().value_or(0) < kEnoughToHandOver) return kBaselineId;
  const Finalist* const leader = ruling.confirmation ? ruling.confirmation->find(ruling.leader_id) : nullptr;
  const bool contradicted = leader != nullptr && (!could_win(*leader) || (leader->comparison && leader->comparison->effect <= 0));
  return contradicted ? kBaselineId : ruling.leader_id;
}

Decision final_decision(const StudyView& study, const Ruling& ruling) {
  Decision decision{.kind = decision_kind(kind_of(ruling.ground)),
                    .configuration_id = handed_over(ruling),
                    .versus = kBaselineId,
                    .method = "paired-t-log",
                    .n = 0,
                    .alpha = ruling.confirmation ? ruling.confirmation->test_alpha() : kAlpha,
                    .inputs_json = inputs_json(study, ruling).dump()};
  if (!ruling.confirmation) return decision;
  decision.n = static_cast<int>(ruling.confirmation->complete.size());
  const Finalist* const leader = ruling.confirmation->find(ruling.leader_id);
  if (leader == nullptr || !leader->comparison) return decision;
  decision.n = leader->comparison->n;
  decision.effect = leader->comparison->effect;
  decision.low = leader->comparison->low;
  decision.high = leader->comparison->high;
  decision.p = leader->comparison->p_greater;
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
