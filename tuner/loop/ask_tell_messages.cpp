#include "tuner/loop/ask_tell_messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "datasets/model/nearest.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 become U+FFFD instead of an exception.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::unexpected<std::string> refuse(std::string text) { return std::unexpected(std::move(text)); }

std::expected<void, std::string> check_keys(const Json& object, const std::vector<std::string>& known, std::string_view where) {
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end())
      return refuse(fmt::format("unknown key \"{}\" in {}{}", key, where, did_you_mean(key, known)));
  return {};
}

std::expected<Measurements, std::string> metrics_of(const Json& metrics) {
  if (!metrics.is_object()) return refuse("\"metrics\" is an object of numbers: {\"metrics\":{\"lost_percent\":0.02}}");
  Measurements found;
  for (const auto& [name, value] : metrics.items()) {
    if (name == "value") return refuse("the value is told beside \"metrics\", not in it");
    if (!value.is_number()) return refuse(fmt::format("the metric \"{}\" is not a number", name));
    found[name] = value.get<double>();
  }
  return found;
}

std::expected<std::optional<std::string>, std::string> reason_text(const Json& tell, const std::string& key) {
  if (!tell.contains(key)) return std::nullopt;
  if (!tell.at(key).is_string() || tell.at(key).get<std::string>().empty())
    return refuse(fmt::format("\"{0}\" is a text that says why: {{\"{0}\":\"crash\"}}", key));
  return tell.at(key).get<std::string>();
}

std::expected<std::optional<double>, std::string> value_of(const Json& tell) {
  if (!tell.contains("value")) return std::nullopt;
  if (!tell.at("value").is_number()) return refuse("\"value\" is a number");
  const double value = tell.at("value").get<double>();
  if (std::isfinite(value) && value > 0) return value;
  return refuse(
      fmt::format("\"value\" is {}, and must be above 0: a configuration that does not work is told as {{\"failed\":\"why\"}}", value));
}

std::expected<Message, std::string> tell_of(const Json& tell) {
  constexpr std::string_view kShape = "{\"tell\":{\"trial\":17,\"value\":81234.5}}";
  if (const auto known = check_keys(tell, {"trial", "value", "metrics", "failed", "invalid"}, "\"tell\""); !known)
    return refuse(known.error());
  if (!tell.contains("trial") || !tell.at("trial").is_number_integer())
    return refuse(fmt::format("\"tell\" needs the number of its trial: {}", kShape));
  Tell told{.trial = tell.at("trial").get<std::int64_t>()};
  const auto value = value_of(tell);
  const auto failed = reason_text(tell, "failed");
  const auto invalid = reason_text(tell, "invalid");
  if (!value) return refuse(value.error());
  if (!failed) return refuse(failed.error());
  if (!invalid) return refuse(invalid.error());
  if (value->has_value() + failed->has_value() + invalid->has_value() != 1)
    return refuse(fmt::format("\"tell\" needs one of \"value\", \"failed\" and \"invalid\": {}", kShape));
  told.value = *value;
  told.failed = *failed;
  told.invalid = *invalid;
  if (tell.contains("metrics")) {
    const auto metrics = metrics_of(tell.at("metrics"));
    if (!metrics) return refuse(metrics.error());
    told.metrics = *metrics;
  }
  return told;
}

Json value_json(const Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, AsFound>)
          return nullptr;  // a parameter without a default; rig.kind = "external" has none
        else
          return held;
      },
      value);
}

/// The active parameters; what is as found has its default.
Json configuration_json(const StudyView& study, std::int64_t id) {
  Json values = Json::object();
  const auto known = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  const Configuration& configuration = known == study.configurations.end() ? study.space.baseline() : known->configuration;
  for (const Domain& domain : study.space.domains()) {
    const auto value = configuration.values.find(domain.name);
    if (value == configuration.values.end()) continue;
    const bool is_default = std::holds_alternative<AsFound>(value->second);
    values[domain.name] = value_json(is_default ? domain.as_found.value_or(AsFound{}) : value->second);
  }
  return values;
}

bool is_code(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  return text.size() <= kLongest &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

std::expected<Message, std::string> parse_message(std::string_view line) {
  constexpr std::string_view kShapes = R"(a message is {"ask":{}}, {"tell":{"trial":17,"value":81234.5}} or {"finish":{}})";
  const Json message = Json::parse(line, nullptr, false);
  if (message.is_discarded()) return refuse(fmt::format("this is no JSON; {}", kShapes));
  if (!message.is_object() || message.size() != 1) return refuse(std::string(kShapes));
  const std::string kind = message.begin().key();
  const Json& content = message.begin().value();
  if (const auto known = check_keys(message, {"ask", "tell", "finish"}, "the message"); !known)
    return refuse(fmt::format("{}; {}", known.error(), kShapes));
  if (!content.is_object()) return refuse(fmt::format("\"{}\" is an object; {}", kind, kShapes));
  if (kind == "tell") return tell_of(content);
  if (const auto empty = check_keys(content, {}, fmt::format("\"{}\", which is empty", kind)); !empty) return refuse(empty.error());
  return kind == "ask" ? Message(Ask{}) : Message(Finish{});
}

Reason reason_of(const std::string& told) {
  if (is_code(told)) return {told, "as the program that runs the trials says"};
  return {"told", told};
}

std::string trial_answer(const StudyView& study, const Trial& trial) {
  return line_of(
      {{"trial", trial.id}, {"configuration", configuration_json(study, trial.configuration_id)}, {"purpose", to_text(trial.purpose)}});
}

std::string done_answer(const StudyView& study, const strategies::StudyVerdict& verdict) {
  Json effect = nullptr;
  if (verdict.effect) effect = {{"estimate", verdict.effect->estimate}, {"low", verdict.effect->low}, {"high", verdict.effect->high}};
  const Json configuration = configuration_json(study, verdict.configuration_id);
  return line_of({{"done",
                   {{"verdict", strategies::to_text(verdict.kind)},
                    {"configuration", configuration},
                    {"smallest", configuration_json(study, verdict.smallest_id)},
                    {"statement", verdict.statement},
                    {"effect", effect},
                    {"leader", configuration_json(study, verdict.leader_id)}}}});
}

std::string ok_answer() { return R"({"ok":true})"; }

std::string error_answer(const std::string& text) { return line_of({{"error", text}}); }

std::string waiting_answer(const std::set<std::int64_t>& out) {
  return line_of({{"error", fmt::format("nothing more can be begun before the trials that are out are told: {}", fmt::join(out, ", "))},
                  {"open", Json(out)}});
}

}  // namespace netsettle::tuner
