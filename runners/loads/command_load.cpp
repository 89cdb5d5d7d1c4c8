#include "runners/loads/command_load.hpp"

#include <charconv>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "datasets/model/placeholders.hpp"
#include "runners/loads/json_objects.hpp"
#include "runners/loads/load_options.hpp"

namespace netsettle::runners {
namespace {

using Json = nlohmann::json;

constexpr const char* kPlaceholders = "{address} {port} {seconds} {queries} {rate} {clients} {instance}";

/// What stands for a placeholder.
Expected<std::string> replacement(std::string_view name, const LoadSection& load, const LoadTarget& target) {
  if (name == "address") return target.address;
  if (name == "port") return std::to_string(target.port);
  if (name == "seconds") return seconds_text(target.seconds);
  if (name == "clients") return std::to_string(load.clients);
  if (name == "instance") return std::to_string(target.instance);
  if (name == "queries" && load.queries.empty())
    return fail(ErrorCode::invalid_input, "load.queries", "load.argv has {queries}, but there are none");
  if (name == "queries") return load.queries;
  if (name == "rate" && !load.rate) return fail(ErrorCode::invalid_input, "load.rate", "load.argv has {rate}, but there is none");
  if (name == "rate") return seconds_text(*load.rate / std::max(1, load.instances));
  return fail(ErrorCode::invalid_input, "load.argv", fmt::format("there is no {{{}}}; there are {}", name, kPlaceholders));
}

Expected<std::vector<std::string>> filled_in(const LoadSection& load, const LoadTarget& target) {
  return with_placeholders(load.argv, [&](std::string_view name) { return replacement(name, load, target); });
}

/// One step of a JSON pointer (RFC 6901): "~1" is "/", "~0" is "~".
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escaped = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += !escaped ? step[i] : step[i + 1] == '1' ? '/' : '~';
    if (escaped) ++i;
  }
  return text;
}

const Json* child_of(const Json& json, const std::string& step) {
  if (json.is_object()) {
    const auto found = json.find(step);
    return found == json.end() ? nullptr : &*found;
  }
  std::size_t index = 0;
  const auto [end, status] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool usable = json.is_array() && status == std::errc() && end == step.data() + step.size() && index < json.size();
  return usable ? &json[index] : nullptr;
}

const Json* value_at(const Json& json, std::string_view pointer) {
  const Json* value = &json;
  while (value != nullptr && pointer.starts_with('/')) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    value = child_of(*value, unescaped(pointer.substr(1, end - 1)));
    pointer.remove_prefix(end);
  }
  return pointer.empty() ? value : nullptr;
}

Json last_object(std::string_view text) {
  Json last;
  for_each_object(text, [&last](std::string_view object) {
    Json parsed = Json::parse(object, nullptr, false);
    if (parsed.is_object()) last = std::move(parsed);
  });
  return last;
}

/// The numbers of a result, and which of them are missing.
class Results {
 public:
  Results(const Json& json, const std::map<std::string, std::string>& pointers, std::vector<std::string>& errors)
      : json_(json), pointers_(pointers), errors_(errors) {}

  std::optional<double> number(const char* name) {
    const auto pointer = pointers_.find(name);
    if (pointer == pointers_.end()) return std::nullopt;
    const Json* const value = value_at(json_, pointer->second);
    if (value != nullptr && value->is_number() && std::isfinite(value->get<double>()) && value->get<double>() >= 0)
      return value->get<double>();
    errors_.push_back(fmt::format("{}: there is no such number in its output (load.result.{})", pointer->second, name));
    return std::nullopt;
  }

  /// Whole numbers exactly; others are rounded.
  std::optional<std::int64_t> count(const char* name) {
    const auto rounded = number(name);
    constexpr double kLargest = 9e18;
    if (!rounded) return std::nullopt;
    if (*rounded > kLargest) {
      errors_.push_back(fmt::format("{}: the number is too large for a count (load.result.{})", pointers_.at(name), name));
      return std::nullopt;
    }
    const Json* const value = value_at(json_, pointers_.at(name));
    return value->is_number_integer() ? value->get<std::int64_t>() : std::llround(*rounded);
  }

 private:
  const Json& json_;
  const std::map<std::string, std::string>& pointers_;
  std::vector<std::string>& errors_;
};

}  // namespace

Expected<void> CommandLoad::check(const LoadSection& load) const {
  if (load.argv.empty()) return fail(ErrorCode::invalid_input, "load.argv", "is needed for load.kind = \"command\"");
  if (!load.tsig_key_file.empty()) return fail(ErrorCode::invalid_input, "load.tsig_key_file", "is only for dnsperf and resperf");
  NETSETTLE_TRY(filled_in(load, {}));
  return {};
}

Expected<std::vector<std::string>> CommandLoad::command_line(const LoadSection& load, const LoadTarget& target) const {
  NETSETTLE_TRY(check(load));
  NETSETTLE_ASSIGN(std::vector<std::string> argv, filled_in(load, target));
  argv.insert(argv.end(), load.arguments.begin(), load.arguments.end());
  return argv;
}

LoadReport CommandLoad::parse(std::string_view standard_output, std::string_view) const {
  LoadReport report;
  const Json json = last_object(standard_output);
  if (!json.is_object()) {
    report.errors.emplace_back("there is no JSON object in its output");
    return report;
  }
  Results results(json, result_, report.errors);
  report.sent = results.count("sent");
  report.completed = results.count("completed");
  report.lost = results.count("lost");
  report.qps = results.number("qps");
  report.runtime_s = results.number("seconds");
  const bool derivable = report.sent && report.completed && *report.sent >= *report.completed;
  if (!result_.contains("lost") && derivable) report.lost = *report.sent - *report.completed;
  if (!result_.contains("qps") && report.completed && report.runtime_s.value_or(0) > 0)
    report.qps = static_cast<double>(*report.completed) / *report.runtime_s;
  report.complete = report.errors.empty() && (report.completed || report.qps);
  return report;
}

}  // namespace netsettle::runners
