#include "datasets/model/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "datasets/model/canonical_lines.hpp"
#include "datasets/model/domain.hpp"
#include "datasets/model/parameter_values.hpp"

namespace netsettle {
namespace {

/// Settings take 1 and 0, not words.
std::string setting_text(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  return to_text(value);
}

void add_domain(CanonicalLines& lines, const Domain& domain) {
  lines.add("domain", domain.name);
  lines.add("type", to_text(domain.type));
  lines.add("low", domain.low);
  lines.add("high", domain.high);
  if (domain.step) lines.add("step", *domain.step);
  lines.add("scale", to_text(domain.scale));
  lines.add("levels", domain.levels);
  lines.add("special", domain.special);
  if (domain.as_found) lines.add("as_found", std::vector{*domain.as_found});
}

}  // namespace

std::expected<SearchSpace, Errors> SearchSpace::resolve(const Experiment& experiment, const Facts& facts, const AsFoundValues& as_found) {
  SearchSpace space;
  space.parameters_ = experiment.parameters;
  space.require_ = experiment.require;
  space.facts_ = facts;
  space.as_found_ = as_found;
  Errors errors;
  for (const Parameter& parameter : experiment.parameters) {
    auto domain = resolve_domain(parameter, facts, as_found);
    if (domain)
      space.domains_.push_back(*std::move(domain));
    else
      errors.push_back(std::move(domain).error());
  }
  if (!errors.empty()) return std::unexpected(std::move(errors));
  errors = space.unknown_names();
  if (const auto ordered = space.order_by_conditions(); !ordered) errors.push_back(ordered.error());
  if (!errors.empty()) return std::unexpected(std::move(errors));
  Configuration all_as_found;
  for (const Domain& domain : space.domains_) all_as_found.values.emplace(domain.name, AsFound{});
  auto baseline = space.canonical(all_as_found);
  if (!baseline) return std::unexpected(Errors{std::move(baseline).error()});
  space.baseline_ = *std::move(baseline);
  return space;
}

const Domain* SearchSpace::find(std::string_view name) const {
  const auto found = std::ranges::find(domains_, name, &Domain::name);
  return found == domains_.end() ? nullptr : &*found;
}

/// Names in conditions, constraints and `with` that are neither parameter nor known fact: queues, on a rig whose interface has none.
Errors SearchSpace::unknown_names() const {
  Errors errors;
  const auto check = [this, &errors](const std::string& subject, const Expression& expression) {
    for (const std::string& name : expression.names())
      if (name != "as_found" && !lookup({}, name))
        errors.push_back({ErrorCode::invalid_input, subject, fmt::format("in \"{}\": '{}' is not known here", expression.text(), name), 0});
  };
  for (const Parameter& parameter : parameters_) {
    if (parameter.when) check(parameter.name, *parameter.when);
    for (const auto& [setting, expression] : parameter.with) check(parameter.name, expression);
  }
  for (const Expression& condition : require_) check("require", condition);
  return errors;
}

Expected<void> SearchSpace::order_by_conditions() {
  std::set<std::string, std::less<>> placed;
  const auto is_ready = [this, &placed](const Parameter& parameter) {
    if (!parameter.when) return true;
    return std::ranges::all_of(parameter.when->names(),
                               [&](const std::string& name) { return find(name) == nullptr || placed.contains(name); });
  };
  while (order_.size() < parameters_.size()) {
    const std::size_t before = order_.size();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (placed.contains(parameters_[i].name) || !is_ready(parameters_[i])) continue;
      placed.insert(parameters_[i].name);
      order_.push_back(i);
    }
    if (order_.size() == before) return fail(ErrorCode::invalid_input, "when", "the conditions of parameters go in a circle");
  }
  return {};
}

/// Inactive (a term about an inactive parameter) is not active: a child goes with its parent.
Expected<bool> SearchSpace::is_active(const Parameter& parameter, const Configuration& configuration) const {
  if (!parameter.when) return true;
  NETSETTLE_ASSIGN(const ExpressionValue value,
                   parameter.when->evaluate([&](std::string_view name) { return lookup(configuration, name); }));
  const bool* const flag = std::get_if<bool>(&value);
  return flag != nullptr && *flag;
}

Expected<Configuration> SearchSpace::canonical(const Configuration& configuration) const {
  for (const auto& [name, value] : configuration.values)
    if (find(name) == nullptr) return fail(ErrorCode::invalid_input, name, "there is no such parameter");
  Configuration result;
  for (const std::size_t i : order_) {
    const Domain& domain = domains_[i];
    NETSETTLE_ASSIGN(const bool active, is_active(parameters_[i], result));
    if (!active) continue;
    const auto given = configuration.values.find(domain.name);
    if (given == configuration.values.end()) return fail(ErrorCode::invalid_input, domain.name, "the configuration has no value for it");
    NETSETTLE_ASSIGN(Value value, normalized(domain, given->second));
    result.values.emplace(domain.name, std::move(value));
  }
  return result;
}

bool SearchSpace::is_conditional(std::string_view name) const {
  return std::ranges::any_of(parameters_, [name](const Parameter& parameter) { return parameter.name == name && parameter.when; });
}

bool SearchSpace::satisfies(const Configuration& configuration) const {
  if (configuration == baseline_) return true;
  const NameLookup names = [&](std::string_view name) { return lookup(configuration, name); };
  return std::ranges::all_of(require_, [&names](const Expression& condition) {
    // What cannot be computed (a division by zero) does not hold.
    return condition.evaluate_bool(names).value_or(false);
  });
}

std::optional<std::vector<Configuration>> SearchSpace::enumerate(std::size_t limit) const {
  std::vector<std::vector<Value>> values;
  std::uint64_t combinations = 1;
  for (const Domain& domain : domains_) {
    auto all = all_values(domain, 100 * limit);
    if (!all) return std::nullopt;
    combinations *= all->size();
    if (combinations > 100 * limit) return std::nullopt;
    values.push_back(*std::move(all));
  }
  std::vector<Configuration> found;
  std::set<Configuration, decltype([](const Configuration& a, const Configuration& b) { return a.values < b.values; })> seen;
  for (std::uint64_t number = 0; number < combinations; ++number) {
    Configuration combination;
    std::uint64_t rest = number;  // its digits in a mixed base choose the values; the last parameter changes fastest
    for (std::size_t i = domains_.size(); i-- > 0; rest /= values[i].size())
      combination.values.emplace(domains_[i].name, values[i][rest % values[i].size()]);
    auto configuration = canonical(combination);
    if (!configuration || !satisfies(*configuration) || !seen.insert(*configuration).second) continue;
    if (found.size() == limit) return std::nullopt;
    found.push_back(*std::move(configuration));
  }
  return found;
}

Expected<std::map<std::string, std::string>> SearchSpace::settings_of(const Configuration& configuration) const {
  std::map<std::string, std::string> settings;
  for (const Parameter& parameter : parameters_) {
    const auto chosen = configuration.values.find(parameter.name);
    if (chosen == configuration.values.end() || std::holds_alternative<AsFound>(chosen->second)) continue;
    for (const std::string& setting : parameter.sets) settings[setting] = setting_text(chosen->second);
    for (const auto& [setting, expression] : parameter.with) {
      NETSETTLE_ASSIGN(auto text, companion_text(setting, expression, configuration));
      if (text) settings[setting] = *std::move(text);
    }
  }
  return settings;
}

/// The text of a `with` setting; nullopt where it is about something inactive and the setting stays as found.
Expected<std::optional<std::string>> SearchSpace::companion_text(const std::string& setting, const Expression& expression,
                                                                 const Configuration& configuration) const {
  const auto names = [&](std::string_view name) -> std::optional<ExpressionValue> {
    if (name != "as_found") return lookup(configuration, name);
    const auto found = as_found_.find(setting);
    return found == as_found_.end() ? Inactive{} : to_expression_value(found->second);
  };
  NETSETTLE_ASSIGN(const ExpressionValue value, expression.evaluate(names));
  if (std::holds_alternative<Inactive>(value)) return std::nullopt;
  if (const bool* flag = std::get_if<bool>(&value)) return std::string(*flag ? "1" : "0");
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::round(std::get<double>(value));
  if (std::abs(number) > static_cast<double>(kMaxExactInteger))
    return fail(ErrorCode::invalid_input, setting, fmt::format("\"{}\" is {}: too large", expression.text(), number));
  return fmt::format("{}", static_cast<std::int64_t>(number));
}

/// How expressions see a name: a parameter hides a fact of the same name. Where it is as found, the value found, and where that is no
/// single value, Inactive.
std::optional<ExpressionValue> SearchSpace::lookup(const Configuration& configuration, std::string_view name) const {
  constexpr std::string_view kCall = "as_found(";
  const bool of_the_machine = name.starts_with(kCall);
  if (of_the_machine) name = name.substr(kCall.size(), name.size() - kCall.size() - 1);
  const Domain* const domain = find(name);
  if (domain == nullptr) {
    const auto fact = of_the_machine ? facts_.end() : facts_.find(std::string(name));
    return fact == facts_.end() ? std::nullopt : std::optional<ExpressionValue>(fact->second);
  }
  const Value as_found = domain->as_found.value_or(AsFound{});
  if (of_the_machine) return to_expression_value(as_found);
  const auto value = configuration.values.find(domain->name);
  if (value == configuration.values.end()) return Inactive{};
  return to_expression_value(std::holds_alternative<AsFound>(value->second) ? as_found : value->second);
}

std::string SearchSpace::hash() const {
  CanonicalLines lines;
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    add_domain(lines, domains_[i]);
    lines.add("sets", parameters_[i].sets);
    lines.add("when", parameters_[i].when);
    for (const auto& [setting, expression] : parameters_[i].with) {
      lines.add("with", setting);
      lines.add("is", expression.text());
    }
  }
  lines.add("require", require_);
  return sha256_hex(lines.text());
}

}  // namespace netsettle
