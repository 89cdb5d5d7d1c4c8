#include "strategies/racing/note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "strategies/racing/drift.hpp"
#include "strategies/racing/sentence.hpp"

namespace netsettle::strategies {
namespace {

std::string reason_in(const Decision& decision) {
  const auto inputs = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  if (!inputs.is_object() || !inputs.contains("reason") || !inputs.at("reason").is_string()) return {};
  return inputs.at("reason").get<std::string>();
}

std::string changes_of(const StudyView& study, std::int64_t id) {
  const auto known = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  return known == study.configurations.end() ? std::string() : describe_changes(known->configuration, study.space);
}

std::string eliminated(const Decision& decision, std::int64_t id, std::string_view changes) {
  const std::int64_t versus = decision.versus.value_or(kBaselineId);
  if (decision.method == "kim-nelson") return fmt::format("Configuration {} leaves: configuration {} is better.", id, versus);
  if (decision.method == "non-inferiority-t-log")
    return fmt::format("The smaller change ({}) was not shown to be as good as configuration {}.", changes, versus);
  return fmt::format("Configuration {} cannot win: {}.", id, reason_in(decision));
}

std::string suggested(const Decision& decision, std::int64_t id, std::string_view changes) {
  if (decision.method == "simplification-plan")
    return fmt::format("Configuration {} is proven; {} fresh blocks now show whether a smaller change is as good.", id,
                       decision.n.value_or(0));
  return fmt::format("A smaller change is as good as configuration {}: {}.", decision.versus.value_or(kBaselineId), changes);
}

}  // namespace

std::string note_on(const Decision& decision, const StudyView& study) {
  const std::int64_t id = decision.configuration_id.value_or(kBaselineId);
  switch (decision.kind) {
    case DecisionKind::promote:
      return fmt::format(
          "Configuration {} ({}) is a finalist; it now meets the settings you had in {} fresh blocks, by a test fixed here: {}, "
          "alpha {:.4g}.",
          id, changes_of(study, id), decision.n.value_or(0), decision.method, decision.alpha.value_or(0));
    case DecisionKind::eliminate:
      return eliminated(decision, id, changes_of(study, id));
    case DecisionKind::unstable:
      return fmt::format("Configuration {} is unstable and cannot win.", id);
    case DecisionKind::stop:
      return fmt::format("The search ends early: {}", reason_in(decision));
    case DecisionKind::drift:
      return drift_note(decision);
    case DecisionKind::suggest:
      return suggested(decision, id, changes_of(study, id));
    default:
      return {};
  }
}

}  // namespace netsettle::strategies
