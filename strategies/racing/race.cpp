#include "strategies/racing/race.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace netsettle::strategies {
namespace {

Decision decision_on(const Confirmation& confirmation, const Finalist& finalist, DecisionKind kind, std::string method,
                     const nlohmann::json& inputs) {
  return {.kind = kind,
          .configuration_id = finalist.id,
          .versus = kBaselineId,
          .method = std::move(method),
          .n = static_cast<int>(confirmation.complete.size()),
          .inputs_json = inputs.dump()};
}

std::vector<Decision> failed(const Confirmation& confirmation) {
  std::vector<Decision> decisions;
  for (const Finalist& finalist : confirmation.finalists)
    if (finalist.state == FinalistState::open && finalist.failures > 0)
      decisions.push_back(decision_on(confirmation, finalist, DecisionKind::eliminate, "failed-trial", {{"reason", finalist.obstacle}}));
  return decisions;
}

std::vector<Decision> unsound(const Confirmation& confirmation) {
  std::vector<Decision> decisions;
  for (const Finalist& finalist : confirmation.finalists) {
    if (finalist.state != FinalistState::open) continue;
    if (!finalist.obstacle.empty()) {
      decisions.push_back(decision_on(confirmation, finalist, DecisionKind::eliminate, "subject-to", {{"reason", finalist.obstacle}}));
    } else if (const auto& found = finalist.instability) {
      decisions.push_back(decision_on(confirmation, finalist, DecisionKind::unstable, found->rule,
                                      {{"leader_variation", found->leader_variation}, {"baseline_variation", found->baseline_variation}}));
      decisions.back().p = found->p;
      decisions.back().versus = found->versus_id;
    }
  }
  return decisions;
}

Decision beaten_decision(const Confirmation& confirmation, const KimNelsonLeave& leave, const KimNelsonConstants& constants) {
  const Selection& selection = *confirmation.selection;
  const nlohmann::json inputs = {{"behind", leave.behind},
                                 {"boundary", leave.boundary},
                                 {"delta", std::expm1(selection.plan.delta)},
                                 {"first_blocks", selection.plan.first_blocks},
                                 {"h2", constants.h2},
                                 {"finalists", selection.arms}};
  return {.kind = DecisionKind::eliminate,
          .configuration_id = confirmation.finalists[leave.arm].id,
          .versus = confirmation.finalists[*leave.by].id,
          .method = "kim-nelson",
          .n = leave.block,
          .effect = std::expm1(-leave.behind),
          .alpha = selection.plan.alpha,
          .inputs_json = inputs.dump()};
}

std::vector<Decision> beaten(const StudyView& study, const Confirmation& confirmation) {
  std::vector<Decision> decisions;
  if (!confirmation.selection) return decisions;
  const auto result =
      kim_nelson(finalist_values(study.experiment, confirmation), confirmation.selection->arms, confirmation.selection->plan);
  if (!result) return decisions;
  for (const KimNelsonLeave& leave : result->left)
    if (leave.by && confirmation.finalists[leave.arm].state == FinalistState::open)
      decisions.push_back(beaten_decision(confirmation, leave, result->constants));
  return decisions;
}

bool left_by_itself(const Finalist& finalist) {
  return finalist.state == FinalistState::failing || finalist.state == FinalistState::unstable;
}

/// The one that the selection leaves, seen without those that left by themselves; nullopt where it leaves several.
std::optional<std::size_t> selected(const std::vector<ArmValues>& values, const Selection& selection, int compared) {
  const auto result = kim_nelson(values, selection.arms, selection.plan);
  if (!result || result->survivors.size() != 1) return std::nullopt;
  const auto beaten = std::ranges::count_if(result->left, [](const KimNelsonLeave& leave) { return leave.by.has_value(); });
  return beaten + 1 == compared ? std::optional(result->survivors.front()) : std::nullopt;
}

}  // namespace

std::vector<Decision> leaving(const StudyView& study, const Confirmation& confirmation) {
  if (auto decisions = failed(confirmation); !decisions.empty()) return decisions;
  auto behind = beaten(study, confirmation);
  if (!behind.empty() || std::ssize(confirmation.complete) >= confirmation.planned)
    if (auto decisions = unsound(confirmation); !decisions.empty()) return decisions;
  return behind;
}

std::optional<BestOfFinalists> best_of_finalists(const Experiment& experiment, const Confirmation& confirmation) {
  if (!confirmation.selection || !confirmation.selection->may_claim) return std::nullopt;
  const auto compared = std::ranges::count_if(confirmation.finalists, [](const Finalist& finalist) { return !left_by_itself(finalist); });
  if (compared < 2) return std::nullopt;
  const Selection& selection = *confirmation.selection;
  BestOfFinalists best{.alpha = selection.plan.alpha, .compared = static_cast<int>(compared)};
  const std::vector<ArmValues> values = finalist_values(experiment, confirmation);
  if (const auto arm = selected(values, selection, best.compared)) {
    best.id = confirmation.finalists[*arm].id;
    best.delta = std::expm1(selection.plan.delta);
    return best;
  }
  const auto achieved = achieved_delta(values, selection.arms, selection.plan);
  if (!achieved) return std::nullopt;
  best.id = confirmation.finalists[achieved->arm].id;
  best.delta = std::expm1(achieved->delta);
  best.achieved = true;
  return best;
}

}  // namespace netsettle::strategies
