#include "tuner/report/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/report/json_parts.hpp"

namespace netsettle::tuner {

namespace {

using Json = nlohmann::ordered_json;
using strategies::ConfigurationSummary;

/// Bytes of a program's message that are no UTF-8 become U+FFFD instead of an exception.
std::string document(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json effect_json(const std::optional<strategies::Interval95>& effect) {
  if (!effect) return nullptr;
  return {{"estimate", effect->estimate}, {"low", effect->low}, {"high", effect->high}};
}

Json configuration_object(const StudyConfiguration& configuration, const ConfigurationSummary* summary) {
  const bool measured = summary && summary->n > 0;
  const auto number = [measured](double value) { return measured ? Json(value) : Json(nullptr); };
  return {{"id", configuration.id},
          {"origin", configuration.origin},
          {"values", values_json(configuration.configuration)},
          {"n", summary ? summary->n : 0},
          {"failed", summary ? summary->failed : 0},
          {"invalid", summary ? summary->invalid : 0},
          {"mean", number(summary ? summary->mean : 0)},
          {"minimum", number(summary ? summary->minimum : 0)},
          {"maximum", number(summary ? summary->maximum : 0)},
          {"versus_baseline", effect_json(summary ? summary->versus_baseline : std::nullopt)}};
}

Json finalists_json(const std::vector<strategies::FinalistSummary>& finalists) {
  Json list = Json::array();
  for (const strategies::FinalistSummary& finalist : finalists)
    list.push_back({{"configuration_id", finalist.id},
                    {"standing", finalist.standing},
                    {"blocks", finalist.blocks},
                    {"effect", effect_json(finalist.effect)},
                    {"posterior", finalist.posterior ? Json(*finalist.posterior) : Json(nullptr)}});
  return list;
}

Json verdict_json(const std::optional<strategies::StudyVerdict>& verdict) {
  if (!verdict) return nullptr;
  return {{"kind", strategies::to_text(verdict->kind)},
          {"statement", verdict->statement},
          {"configuration_id", verdict->configuration_id},
          {"leader_id", verdict->leader_id},
          {"smallest_id", verdict->smallest_id},
          {"finalists", finalists_json(verdict->finalists)},
          {"blocks", verdict->blocks},
          {"effect", effect_json(verdict->effect)}};
}

Json pilot_json(const std::optional<strategies::PilotResult>& pilot) {
  if (!pilot) return nullptr;
  Json findings = Json::array();
  for (const strategies::PilotFinding finding : pilot->health.findings) findings.push_back(strategies::to_text(finding));
  return {{"n", pilot->n},
          {"mean", pilot->mean},
          {"coefficient_of_variation", pilot->coefficient_of_variation},
          {"provable_effect", pilot->provable_effect},
          {"findings", std::move(findings)},
          {"warning", strategies::warning_of(pilot->health)}};
}

}  // namespace

std::string trials_json(const ReportData& data) {
  Json trials = Json::array();
  for (const Trial& trial : data.study.trials) trials.push_back(trial_object(trial));
  return document({{"study", data.record.name}, {"trials", std::move(trials)}});
}

std::string trial_json(const Trial& trial, const std::vector<AppliedSetting>& settings, const nlohmann::ordered_json& account) {
  Json object = trial_object(trial);
  object["account"] = account;
  object["settings"] = settings_json(settings);
  return document(object);
}

std::string configurations_json(const ReportData& data) {
  Json configurations = Json::array();
  for (const StudyConfiguration& configuration : data.study.configurations)
    configurations.push_back(configuration_object(configuration, find_summary(data, configuration.id)));
  return document({{"study", data.record.name},
                   {"objective", data.study.experiment.objective.maximize},
                   {"configurations", std::move(configurations)}});
}

std::string best_json(const ReportData& data) {
  const StudyConfiguration* handed_over = data.verdict ? find_configuration(data.study, data.verdict->configuration_id) : nullptr;
  return document({{"study", data.record.name},
                   {"status", datasets::to_text(data.record.status)},
                   {"objective", data.study.experiment.objective.maximize},
                   {"verdict", verdict_json(data.verdict)},
                   {"configuration", handed_over ? configuration_object(*handed_over, find_summary(data, handed_over->id)) : Json(nullptr)},
                   {"pilot", pilot_json(data.pilot)},
                   {"caveats", caveats(data)}});
}

}  // namespace netsettle::tuner
