#include "tuner/report/json_parts.hpp"

#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

Json time_json(std::int64_t time_us) { return time_us == 0 ? Json(nullptr) : Json(time_us); }

template <typename Number>
Json number_json(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json files_json(const std::vector<AppliedFile>& files) {
  Json rows = Json::array();
  for (const AppliedFile& file : files)
    rows.push_back({{"path", file.path}, {"netns", file.netns}, {"before", file.before}, {"effective", file.effective}});
  return rows;
}

}  // namespace

Json value_json(const Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, AsFound>)
          return to_text(Value{held});
        else
          return held;
      },
      value);
}

Json values_json(const Configuration& configuration) {
  Json values = Json::object();
  for (const auto& [name, value] : configuration.values) values[name] = value_json(value);
  return values;
}

Json trial_object(const Trial& trial) {
  Json reasons = Json::array();
  for (const Reason& reason : trial.reasons) reasons.push_back({{"code", reason.code}, {"detail", reason.detail}});
  Json measurements = Json::object();
  for (const auto& [name, value] : trial.measurements) measurements[name] = value;
  return {{"id", trial.id},
          {"configuration_id", trial.configuration_id},
          {"purpose", to_text(trial.purpose)},
          {"block", trial.block},
          {"position", trial.position},
          {"attempt", trial.attempt},
          {"state", to_text(trial.state)},
          {"outcome", trial.outcome ? Json(to_text(*trial.outcome)) : Json(nullptr)},
          {"suspect", trial.suspect},
          {"reasons", std::move(reasons)},
          {"measurements", std::move(measurements)},
          {"imported_from", trial.imported_from ? Json(*trial.imported_from) : Json(nullptr)},
          {"seed", trial.seed},
          {"started_us", time_json(trial.started_us)},
          {"ended_us", time_json(trial.ended_us)}};
}

Json settings_json(const std::vector<AppliedSetting>& settings) {
  Json rows = Json::array();
  for (const AppliedSetting& row : settings)
    rows.push_back({{"setting", row.setting},
                    {"target", row.target},
                    {"requested", row.requested},
                    {"before", row.before},
                    {"effective", row.effective},
                    {"at_end", row.at_end},
                    {"status", to_text(row.status)},
                    {"errno", row.errno_value},
                    {"files", files_json(row.files)}});
  return rows;
}

Json decision_object(const Decision& decision) {
  auto inputs = Json::parse(decision.inputs_json, nullptr, false);
  if (inputs.is_discarded()) inputs = decision.inputs_json;
  return {{"id", decision.id},
          {"at_us", decision.at_us},
          {"kind", to_text(decision.kind)},
          {"configuration_id", number_json(decision.configuration_id)},
          {"versus", number_json(decision.versus)},
          {"method", decision.method},
          {"n", number_json(decision.n)},
          {"effect", number_json(decision.effect)},
          {"low", number_json(decision.low)},
          {"high", number_json(decision.high)},
          {"p", number_json(decision.p)},
          {"alpha", number_json(decision.alpha)},
          {"inputs", std::move(inputs)}};
}

}  // namespace netsettle::tuner
