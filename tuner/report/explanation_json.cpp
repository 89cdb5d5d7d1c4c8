#include <cmath>

#include "tuner/report/explanation_parts.hpp"
#include "tuner/report/explanation_text.hpp"
#include "tuner/report/json_parts.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;
using strategies::FailurePattern;

Json interval_json(const strategies::Interval95& interval) {
  return {{"estimate", interval.estimate}, {"low", interval.low}, {"high", interval.high}};
}

Json belief_json(const strategies::NormalBelief& belief) { return interval_json(interval_of(belief)); }

Json optional_value_json(const std::optional<Value>& value) { return value ? value_json(*value) : Json(nullptr); }

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json step_json(const strategies::ExplainedStep& explained) {
  Json changes = Json::array();
  for (const auto& change : explained.step.changes)
    changes.push_back(
        {{"parameter", change.parameter}, {"from", optional_value_json(change.from)}, {"to", optional_value_json(change.to)}});
  Json measured = nullptr;
  if (explained.measured) measured = interval_json({explained.measured->effect, explained.measured->low, explained.measured->high});
  return {{"changes", std::move(changes)},
          {"gain", belief_json(explained.step.gain)},
          {"so_far", belief_json(explained.step.so_far)},
          {"before_id", or_null(explained.before_id)},
          {"after_id", or_null(explained.after_id)},
          {"blocks", explained.blocks},
          {"measured", std::move(measured)}};
}

Json range_json(const std::optional<strategies::IndexRange>& range) {
  if (!range) return nullptr;
  return {{"value", range->value}, {"low", range->low}, {"high", range->high}};
}

Json share_json(const strategies::ParameterShare& share) {
  return {{"parameter", share.parameter},
          {"first", range_json(share.first)},
          {"total", range_json(share.total)},
          {"first_among_good", range_json(share.first_among_good)},
          {"total_among_good", range_json(share.total_among_good)}};
}

Json curve_json(const strategies::Curve& curve) {
  Json points = Json::array();
  for (const auto& point : curve.points)
    points.push_back({{"value", value_json(point.value)},
                      {"is_configuration", point.is_centre},
                      {"versus_baseline", belief_json(point.versus_baseline)},
                      {"versus_configuration", belief_json(point.versus_centre)}});
  return {{"parameter", curve.parameter},
          {"visible", curve.is_visible},
          {"range", belief_json(curve.range)},
          {"bound", std::expm1(curve.bound)},
          {"points", std::move(points)}};
}

const char* kind_name(FailurePattern::Kind kind) {
  switch (kind) {
    case FailurePattern::Kind::at_least:
      return "at_least";
    case FailurePattern::Kind::at_most:
      return "at_most";
    case FailurePattern::Kind::equal:
      break;
  }
  return "equal";
}

Json failures_json(const strategies::FailureSummary& failures) {
  Json patterns = Json::array();
  for (const FailurePattern& pattern : failures.patterns)
    patterns.push_back({{"parameter", pattern.parameter},
                        {"kind", kind_name(pattern.kind)},
                        {"value", value_json(pattern.value)},
                        {"configurations", pattern.configurations}});
  return {{"trials", failures.trials},
          {"configuration_ids", failures.configurations},
          {"tried", failures.tried},
          {"reasons", failures.reasons},
          {"patterns", std::move(patterns)}};
}

const char* explained_name(strategies::Explained explained) {
  switch (explained) {
    case strategies::Explained::winner:
      return "winner";
    case strategies::Explained::handed_over:
      return "handed_over";
    case strategies::Explained::leader:
      break;
  }
  return "leader";
}

}  // namespace

Json explanation_json(const ReportData& data, const ExplanationData& explained) {
  Json json{{"study", data.record.name}, {"objective", data.study.experiment.objective.maximize}, {"by", "model"}};
  json["verdict"] = data.verdict ? Json(to_text(data.verdict->kind)) : Json(nullptr);
  for (const char* const key : {"explained", "gain", "confirmed"}) json[key] = nullptr;
  for (const char* const key : {"path", "shares", "curves", "no_visible_effect", "inactive"}) json[key] = Json::array();
  json["failures"] = failures_json(explained.failures);
  if (!explained.explanation) return json;
  const auto& explanation = *explained.explanation;
  const StudyConfiguration* const configuration = find_configuration(data.study, explanation.configuration_id);
  json["explained"] = {{"configuration_id", explanation.configuration_id},
                       {"as", explained_name(explanation.explained)},
                       {"values", configuration == nullptr ? Json(nullptr) : values_json(configuration->configuration)},
                       {"trials_of_the_model", explanation.trials}};
  json["gain"] = belief_json(explanation.gain);
  if (data.verdict && data.verdict->effect && data.verdict->leader_id == explanation.configuration_id)
    json["confirmed"] = interval_json(*data.verdict->effect);
  for (const auto& step : explanation.path) json["path"].push_back(step_json(step));
  for (const auto& share : explanation.shares) json["shares"].push_back(share_json(share));
  for (const auto& curve : explanation.curves) {
    json["curves"].push_back(curve_json(curve));
    if (!curve.is_visible) json["no_visible_effect"].push_back(curve.parameter);
  }
  json["inactive"] = explanation.inactive;
  return json;
}

}  // namespace netsettle::tuner
