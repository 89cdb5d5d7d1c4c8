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

std::optional<double> number_at(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<std::int64_t> id_at(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>()) : std::nullopt;
}

std::vector<FinalistSummary> finalists_in(const nlohmann::json& inputs) {
  std::vector<FinalistSummary> finalists;
  const auto list = inputs.find("finalists");
  if (list == inputs.end() || !list->is_array()) return finalists;
  for (const auto& json : *list) {
    if (!json.is_object()) continue;
    FinalistSummary& finalist = finalists.emplace_back();
    finalist.id = id_at(json, "configuration").value_or(kBaselineId);
    if (const auto standing = json.find("standing"); standing != json.end() && standing->is_string())
      finalist.standing = standing->get<std::string>();
    finalist.blocks = static_cast<int>(id_at(json, "blocks").value_or(0));
    const auto effect = number_at(json, "effect"), low = number_at(json, "low"), high = number_at(json, "high");
    if (effect && low && high) finalist.effect = Interval95{*effect, *low, *high};
    finalist.posterior = number_at(json, "posterior");
  }
  return finalists;
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

std::optional<double> value_in_inputs(const Decision& decision, std::string_view name) {
  const auto inputs = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  if (!inputs.is_object()) return std::nullopt;
  const auto found = inputs.find(std::string(name));
  return found != inputs.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
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
                       .smallest_id = last->configuration_id.value_or(kBaselineId),
                       .effect = std::nullopt,
                       .blocks = last->n.value_or(0),
                       .finalists = {},
                       .statement = {}};
  if (last->effect && last->low && last->high) verdict.effect = Interval95{*last->effect, *last->low, *last->high};
  const auto inputs = nlohmann::json::parse(last->inputs_json, nullptr, false);
  if (!inputs.is_object()) return verdict;
  verdict.leader_id = id_at(inputs, "leader").value_or(verdict.leader_id);
  verdict.smallest_id = id_at(inputs, "smallest").value_or(verdict.smallest_id);
  verdict.finalists = finalists_in(inputs);
  if (const auto statement = inputs.find("statement"); statement != inputs.end() && statement->is_string())
    verdict.statement = statement->get<std::string>();
  return verdict;
}

}  // namespace netsettle::strategies
