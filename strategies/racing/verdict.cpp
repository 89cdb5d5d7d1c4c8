// Reads the final decision back from the record. The stored decision is the authority, not what a later version would compute.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "strategies/racing/next_step.hpp"
#include "strategies/search/plan.hpp"

namespace netsettle::strategies {
namespace {

std::optional<VerdictKind> verdict_kind(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::winner:
      return VerdictKind::winner;
    case DecisionKind::no_improvement:
      return VerdictKind::no_improvement;
    case DecisionKind::cannot_tell:
      return VerdictKind::cannot_tell;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view to_text(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::winner:
      return "winner";
    case VerdictKind::no_improvement:
      return "no-improvement";
    case VerdictKind::cannot_tell:
      return "cannot-tell";
  }
  return "";
}

std::optional<int> number_in_inputs(const Decision& decision, std::string_view name) {
  const auto inputs = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  if (!inputs.is_object()) return std::nullopt;
  const auto found = inputs.find(std::string(name));
  return found != inputs.end() && found->is_number_integer() ? std::optional(found->get<int>()) : std::nullopt;
}

bool is_verdict(DecisionKind kind) { return verdict_kind(kind).has_value(); }

std::optional<int> least_extension(const StudyView& study) {
  const auto last =
      std::find_if(study.decisions.rbegin(), study.decisions.rend(), [](const Decision& decision) { return is_verdict(decision.kind); });
  if (last == study.decisions.rend()) return std::nullopt;
  const auto budget = number_in_inputs(*last, "budget_trials");
  if (!budget) return std::nullopt;
  constexpr int kOneSearchBlock = 2;
  const int used = number_in_inputs(*last, "trials_spent").value_or(0);
  return std::max(*budget + 1, used + kOneSearchBlock + 2 * kMinimumConfirmation);
}

bool has_verdict(const StudyView& study) {
  if (!verdict_of(study)) return false;
  const auto least = least_extension(study);
  return !least || study.experiment.budget.trials.value_or(0) < *least;
}

std::optional<StudyVerdict> verdict_of(const StudyView& study) {
  const auto last = std::find_if(study.decisions.rbegin(), study.decisions.rend(),
                                 [](const Decision& decision) { return verdict_kind(decision.kind).has_value(); });
  if (last == study.decisions.rend()) return std::nullopt;
  StudyVerdict verdict{.kind = *verdict_kind(last->kind),
                       .configuration_id = last->configuration_id.value_or(kBaselineId),
                       .leader_id = last->configuration_id.value_or(kBaselineId),
                       .effect = std::nullopt,
                       .blocks = last->n.value_or(0),
                       .statement = {}};
  if (last->effect && last->low && last->high) verdict.effect = Interval95{*last->effect, *last->low, *last->high};
  const auto inputs = nlohmann::json::parse(last->inputs_json, nullptr, false);
  if (!inputs.is_object()) return verdict;
  if (const auto leader = inputs.find("leader"); leader != inputs.end() && leader->is_number_integer()) verdict.leader_id = *leader;
  if (const auto statement = inputs.find("statement"); statement != inputs.end() && statement->is_string())
    verdict.statement = statement->get<std::string>();
  return verdict;
}

}  // namespace netsettle::strategies
