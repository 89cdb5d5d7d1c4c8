// manifest.json: everything about the bundle for programs.

#include <nlohmann/json.hpp>

#include "tuner/bundle/plan.hpp"

namespace netsettle::tuner {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kManifestSchema = 1;

Json value_json(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return to_text(value);
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json configuration_json(const BundleInput& input) {
  Json values = Json::object();
  for (const auto& [name, value] : input.configuration.values) values[name] = value_json(value);
  return {{"id", input.configuration_id}, {"hash", hash(input.configuration)}, {"values", std::move(values)}};
}

Json settings_json(const BundleInput& input) {
  Json settings = Json::array();
  for (const BundleSetting& setting : input.settings) {
    Json files = Json::array();
    for (const BundleFile& file : setting.files) files.push_back({{"path", file.path}, {"value", file.value}, {"as_found", file.as_found}});
    settings.push_back({{"name", setting.name}, {"value", setting.value}, {"scope", to_text(setting.scope)}, {"files", std::move(files)}});
  }
  return settings;
}

Json evidence_json(const BundleEvidence& evidence) {
  Json effect = nullptr;
  if (evidence.effect)
    effect = {
        {"estimate", evidence.effect->estimate}, {"low", evidence.effect->low}, {"high", evidence.effect->high}, {"confidence", 0.95}};
  return {{"verdict", strategies::to_text(evidence.verdict)},
          {"statement", evidence.statement},
          {"effect", std::move(effect)},
          {"blocks", evidence.blocks},
          {"n", evidence.n},
          {"baseline_n", evidence.baseline_n},
          {"alpha", or_null(evidence.alpha)},
          {"method", evidence.method}};
}

}  // namespace

Expected<std::string> manifest_json(const BundleInput& input, const BundlePlan& plan) {
  Json facts = Json::parse(input.host_facts_json, nullptr, false);
  if (facts.is_discarded()) return fail(ErrorCode::invalid_input, "host facts", "not JSON");
  Json manifest = {{"schema", kManifestSchema},
                   {"bundle", plan.id},
                   {"created", plan.created},
                   {"tool_version", input.tool_version},
                   {"study", input.study},
                   {"laboratory_only", input.laboratory_only},
                   {"configuration", configuration_json(input)},
                   {"settings", settings_json(input)},
                   {"server", input.server_values},
                   {"evidence", evidence_json(input.evidence)},
                   {"rig", to_text(input.rig)},
                   {"workload",
                    {{"query_file", input.workload.query_file},
                     {"query_sha256", input.workload.query_sha256},
                     {"clients", input.workload.clients},
                     {"outstanding", input.workload.outstanding}}},
                   {"host", std::move(facts)}};
  // Bytes that are no UTF-8 (a study's name, a statement) become U+FFFD instead of an exception.
  return manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace netsettle::tuner
