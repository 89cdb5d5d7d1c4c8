#include "datasets/model/experiment_difference.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "datasets/model/domain.hpp"

namespace netsettle {
namespace {

constexpr std::array<std::string_view, 11> kParameterKeys = {"sets",   "type",    "low",  "high", "step", "scale",
                                                             "values", "special", "when", "with", "is"};
constexpr std::array<std::string_view, 5> kDomainKeys = {"low", "high", "step", "values", "special"};

struct Line {
  std::string key, value;
};

/// Takes one line off the text: "key=5:hello" or "key=42".
Line take_line(std::string_view& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  Line line{.key = std::string(text.substr(0, equals)), .value = {}};
  text.remove_prefix(std::min(equals + 1, text.size()));
  const std::size_t colon = text.find(':'), newline = std::min(text.find('\n'), text.size());
  std::size_t length = 0;
  if (colon < newline && std::from_chars(text.data(), text.data() + colon, length).ptr == text.data() + colon) {
    line.value = text.substr(colon + 1, length);
    text.remove_prefix(std::min(colon + 1 + length + 1, text.size()));
  } else {
    line.value = text.substr(0, newline);
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  return line;
}

bool is_parameter_key(std::string_view key) {
  return std::ranges::find(kParameterKeys, key) != kParameterKeys.end() || key == "optional" || key == "keep" || key == "default";
}

/// Values of lists are written after their number and with their kind before them ("2/4"): for people both go.
std::string readable(const Line& line) {
  if (line.key != "values" && line.key != "special" && line.key != "default") return line.value;
  const std::size_t slash = line.value.find('/');
  return slash == std::string::npos ? std::string() : line.value.substr(slash + 1);
}

std::map<std::string, std::string> keys_of(const Experiment& experiment) {
  const std::string text = canonical_text(experiment);
  std::map<std::string, std::string> keys;
  std::string parameter;
  for (std::string_view rest = text; !rest.empty();) {
    const Line line = take_line(rest);
    if (line.key == "parameter") {
      parameter = line.value;
      keys.emplace("parameters." + parameter, "a parameter");
      continue;
    }
    const bool of_parameter = !parameter.empty() && is_parameter_key(line.key);
    if (!of_parameter) parameter.clear();
    std::string& value = keys[of_parameter ? fmt::format("parameters.{}.{}", parameter, line.key) : line.key];
    const std::string more = readable(line);
    value += value.empty() || more.empty() ? more : ", " + more;
  }
  return keys;
}

std::string text_of(const Domain& domain) {
  if (domain.levels.empty())
    return fmt::format("{} to {}{}", domain.low, domain.high, domain.step ? fmt::format(" in steps of {}", *domain.step) : "");
  std::string text;
  for (const Value& level : domain.levels) text += (text.empty() ? "" : ", ") + to_text(level);
  return text;
}

/// Whether every step of `before` is one of `now`.
bool has_the_steps(const Domain& before, const Domain& now) {
  if (!now.step) return true;
  if (!before.step) return false;
  constexpr double kTolerance = 1e-9;
  const auto is_whole = [](double steps) { return std::abs(steps - std::round(steps)) <= kTolerance; };
  return is_whole(*before.step / *now.step) && is_whole((before.low - now.low) / *now.step);
}

bool holds_all(const Domain& before, const Domain& now) {
  if (before.type != now.type || before.scale != now.scale || before.as_found != now.as_found) return false;
  const auto is_in = [&now](const Value& value) { return contains(now, value); };
  if (!std::ranges::all_of(before.special, is_in)) return false;
  if (!before.levels.empty()) return std::ranges::all_of(before.levels, is_in);
  return now.levels.empty() && now.low <= before.low && before.high <= now.high && has_the_steps(before, now);
}

}  // namespace

std::vector<ExperimentDifference> differences(const Experiment& before, const Experiment& now) {
  const auto old_keys = keys_of(before), new_keys = keys_of(now);
  std::vector<ExperimentDifference> found;
  for (const auto& [key, value] : old_keys) {
    const auto other = new_keys.find(key);
    if (other == new_keys.end() || other->second != value)
      found.push_back({key, value, other == new_keys.end() ? std::string() : other->second});
  }
  for (const auto& [key, value] : new_keys)
    if (!old_keys.contains(key)) found.push_back({key, {}, value});
  return found;
}

bool is_about_a_domain(const ExperimentDifference& difference) {
  if (!difference.key.starts_with("parameters.")) return false;
  const std::string key = difference.key.substr(difference.key.rfind('.') + 1);
  return std::ranges::count(difference.key, '.') == 2 && std::ranges::find(kDomainKeys, key) != kDomainKeys.end();
}

std::vector<std::string> narrowed(const std::vector<Domain>& before, const std::vector<Domain>& now) {
  std::vector<std::string> reasons;
  for (const Domain& domain : before) {
    const auto other = std::ranges::find(now, domain.name, &Domain::name);
    if (other == now.end())
      reasons.push_back(fmt::format("parameter {} is gone", domain.name));
    else if (!holds_all(domain, *other))
      reasons.push_back(fmt::format("parameter {} had {}, which {} does not hold", domain.name, text_of(domain), text_of(*other)));
  }
  for (const Domain& domain : now)
    if (std::ranges::find(before, domain.name, &Domain::name) == before.end())
      reasons.push_back(fmt::format("parameter {} is new", domain.name));
  return reasons;
}

}  // namespace netsettle
