#include "tuner/report/explanation_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using strategies::Curve;
using strategies::Explained;
using strategies::Explanation;
using strategies::ValueChange;

constexpr double kNormal95 = 1.959964;

std::string optional_value(const StudyView& study, const std::string& parameter, const std::optional<Value>& value) {
  return value ? value_of_parameter(study, parameter, *value) : "inactive";
}

std::string role_text(const Explanation& explanation) {
  switch (explanation.explained) {
    case Explained::winner:
      return "the winner";
    case Explained::handed_over:
      return "handed over without proof";
    case Explained::leader:
      break;
  }
  return "the best that the search saw";
}

bool has_gain(const ReportData& data, const Explanation& explanation) {
  return data.verdict && data.verdict->configuration_id == explanation.configuration_id;
}

}  // namespace

strategies::Interval95 interval_of(const strategies::NormalBelief& belief) {
  const double half = kNormal95 * belief.standard_deviation;
  return {.estimate = std::expm1(belief.mean), .low = std::expm1(belief.mean - half), .high = std::expm1(belief.mean + half)};
}

std::string value_of_parameter(const StudyView& study, const std::string& parameter, const Value& value) {
  const auto found = std::ranges::find(study.experiment.parameters, parameter, &Parameter::name);
  return value_text(found == study.experiment.parameters.end() ? ParameterType::categorical : found->type, value);
}

std::string changes_text(const StudyView& study, const std::vector<ValueChange>& changes) {
  std::string text;
  for (const ValueChange& change : changes)
    text += fmt::format("{}{}: {} → {}", text.empty() ? "" : ", ", change.parameter, optional_value(study, change.parameter, change.from),
                        optional_value(study, change.parameter, change.to));
  return text;
}

std::string measured_text(const strategies::ExplainedStep& step) {
  if (!step.measured) return step.blocks == 0 ? "" : "in one block only";
  return fmt::format("{} in {} blocks", interval({step.measured->effect, step.measured->low, step.measured->high}), step.blocks);
}

std::string headline(const ReportData& data, const Explanation& explanation) {
  const StudyConfiguration* const configuration = find_configuration(data.study, explanation.configuration_id);
  const std::string name = fmt::format("configuration {} ({}), {}", explanation.configuration_id,
                                       configuration ? changes(data.study, configuration->configuration) : "", role_text(explanation));
  const std::string trials = explanation.trials > 0 ? fmt::format(" of {} trials", explanation.trials) : "";
  const std::string by_model = fmt::format("by the model{} {} against the baseline", trials, interval(interval_of(explanation.gain)));
  if (has_gain(data, explanation))
    return fmt::format("What bought the gain of {}: {}{}.", name, by_model,
                       data.verdict->effect ? ", measured in the confirmation " + interval(*data.verdict->effect) : "");
  if (!data.verdict) return fmt::format("{} This is about {}: {}.", no_verdict_sentence(data), name, by_model);
  return fmt::format("There is no proven gain to explain: {} What follows is about {}: {}.", data.verdict->statement, name, by_model);
}

std::string nothing_to_explain(const ReportData& data) {
  const std::string reason = data.verdict ? data.verdict->statement : no_verdict_sentence(data);
  return "There is nothing to explain: the search has measured no configuration beside the baseline that works, or too few trials for a "
         "model. " +
         reason;
}

std::string invisible_sentence(const Explanation& explanation) {
  std::string text;
  for (const Curve& curve : explanation.curves)
    if (!curve.is_visible)
      text += fmt::format("{}{} (at most {:.1f} %)", text.empty() ? "" : ", ", curve.parameter, 100 * std::expm1(curve.bound));
  std::string inactive;
  for (const std::string& name : explanation.inactive) inactive += (inactive.empty() ? "" : ", ") + name;
  if (!text.empty()) text = "No visible effect there, by the model: " + text + ".";
  if (!inactive.empty()) text += (text.empty() ? "" : " ") + ("Not active there: " + inactive + ".");
  return text;
}

}  // namespace netsettle::tuner
