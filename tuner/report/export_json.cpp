#include "tuner/report/export_json.hpp"

#include "strategies/racing/next_step.hpp"
#include "tuner/report/json_parts.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;

/// In one line; bytes that are no UTF-8 become U+FFFD.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parsed_or_text(const std::string& text) {
  auto json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json values_of(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(value_json(value));
  return list;
}

Json study_json(const datasets::StudyRecord& record) {
  Json dropped = Json::array(), as_found = Json::object();
  for (const auto& [parameter, reason] : record.dropped) dropped.push_back({{"parameter", parameter}, {"reason", reason}});
  for (const auto& [setting, value] : record.as_found) as_found[setting] = value_json(value);
  return {{"name", record.name},
          {"status", datasets::to_text(record.status)},
          {"created_us", record.created_us},
          {"until_us", value_or_null(record.until_us)},
          {"seed", record.seed},
          {"objective", parsed_or_text(record.objective_json)},
          {"spec_file", record.spec_file},
          {"spec_text", record.spec_text},
          {"overrides", record.overrides},
          {"spec_hash", record.spec_hash},
          {"space_hash", record.space_hash},
          {"workload_hash", record.workload_hash},
          {"facts", record.facts},
          {"as_found", std::move(as_found)},
          {"dropped", std::move(dropped)}};
}

Json parameter_json(const datasets::StudyRecord& record, const Domain& domain) {
  const auto source = record.sources.find(domain.name);
  const bool range = domain.levels.empty();
  Json sets = Json::array();
  if (source != record.sources.end()) sets = source->second.sets;
  return {{"name", domain.name},
          {"type", to_text(domain.type)},
          {"sets", std::move(sets)},
          {"low", range ? Json(domain.low) : Json(nullptr)},
          {"high", range ? Json(domain.high) : Json(nullptr)},
          {"step", value_or_null(domain.step)},
          {"scale", to_text(domain.scale)},
          {"levels", values_of(domain.levels)},
          {"special", values_of(domain.special)},
          {"as_found", domain.as_found ? value_json(*domain.as_found) : Json(nullptr)},
          {"active_if", source == record.sources.end() ? Json(nullptr) : value_or_null(source->second.active_if)}};
}

Json configuration_json(const StudyConfiguration& configuration) {
  return {{"id", configuration.id}, {"origin", configuration.origin}, {"values", values_json(configuration.configuration)}};
}

Expected<Json> trial_json(const datasets::Store& store, const Trial& trial) {
  Json json = trial_object(trial);
  NETSETTLE_ASSIGN(const auto settings, store.applied(trial.id));
  NETSETTLE_ASSIGN(const auto series, store.samples(trial.id, "qps"));
  json["settings"] = settings_json(settings);
  Json& points = json["series"]["qps"] = Json::array();
  for (const Interval& interval : series) points.push_back({interval.time_s, interval.qps});
  return json;
}

Json verdict_json(const StudyView& study) {
  const auto verdict = strategies::verdict_of(study);
  if (!verdict) return nullptr;
  return {{"kind", strategies::to_text(verdict->kind)},
          {"configuration_id", verdict->configuration_id},
          {"leader_id", verdict->leader_id},
          {"smallest_id", verdict->smallest_id},
          {"blocks", verdict->blocks},
          {"statement", verdict->statement}};
}

/// `"key": [ … ]` with one line an item; `item` gives Expected<Json>.
template <typename Items, typename ToJson>
Expected<void> write_list(const TextSink& out, std::string_view key, const Items& items, ToJson item) {
  NETSETTLE_TRY(out(",\n\"" + std::string(key) + "\": ["));
  std::string_view separator = "\n";
  for (const auto& one : items) {
    NETSETTLE_ASSIGN(const Json json, item(one));
    NETSETTLE_TRY(out(std::string(separator) + line_of(json)));
    separator = ",\n";
  }
  return out("\n]");
}

}  // namespace

Expected<void> write_record_json(const datasets::Store& store, const datasets::StudyRecord& record, const StudyView& study,
                                 const TextSink& out) {
  const Json host = {{"fingerprint", record.host_fingerprint}, {"facts", parsed_or_text(record.host_facts_json)}};
  NETSETTLE_TRY(out("{\"format\": \"netsettle-record\",\n\"format_version\": " + std::to_string(kFormatVersion) +
                    ",\n\"study\": " + line_of(study_json(record)) + ",\n\"host\": " + line_of(host)));
  NETSETTLE_TRY(write_list(out, "parameters", study.space.domains(),
                           [&](const Domain& domain) -> Expected<Json> { return parameter_json(record, domain); }));
  NETSETTLE_TRY(write_list(out, "configurations", study.configurations,
                           [](const StudyConfiguration& one) -> Expected<Json> { return configuration_json(one); }));
  NETSETTLE_TRY(write_list(out, "trials", study.trials, [&](const Trial& trial) { return trial_json(store, trial); }));
  NETSETTLE_TRY(
      write_list(out, "decisions", study.decisions, [](const Decision& decision) -> Expected<Json> { return decision_object(decision); }));
  return out(",\n\"verdict\": " + line_of(verdict_json(study)) + "\n}\n");
}

}  // namespace netsettle::tuner
