#include "datasets/model/experiment_checks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/expression_lexer.hpp"
#include "datasets/model/nearest.hpp"
#include "datasets/model/parameter_values.hpp"
#include "datasets/model/setting_form.hpp"

namespace netsettle {
namespace {

using PlacedParameters = std::vector<PlacedParameter>;

const PlacedParameter* find_parameter(const PlacedParameters& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, [](const PlacedParameter& placed) { return placed.parameter.name; });
  return found == parameters.end() ? nullptr : &*found;
}

std::vector<std::string> names_of(const PlacedParameters& parameters) {
  std::vector<std::string> names;
  for (const PlacedParameter& placed : parameters) names.push_back(placed.parameter.name);
  return names;
}

bool is_fact(std::string_view name) { return std::ranges::find(fact_names(), name) != fact_names().end(); }

/// "rmem" of "as_found(rmem)"; other names unchanged.
std::string_view inner_name(std::string_view name) {
  constexpr std::string_view kCall = "as_found(";
  if (!name.starts_with(kCall)) return name;
  return name.substr(kCall.size(), name.size() - kCall.size() - 1);
}

ExpressionKind kind_of_type(ParameterType type) {
  if (is_numeric(type)) return ExpressionKind::number;
  return type == ParameterType::boolean ? ExpressionKind::boolean : ExpressionKind::text;
}

class ExpressionChecker {
 public:
  ExpressionChecker(const PlacedParameters& parameters, Diagnostics& diagnostics) : parameters_(parameters), diagnostics_(diagnostics) {}

  void check(const PlacedExpression& placed) const {
    bool understood = true;
    for (const std::string& name : placed.expression.names()) understood = check_name(placed, name) && understood;
    if (understood && check_kind(placed)) check_constant(placed);
  }

 private:
  /// False where nothing can be said about the whole expression.
  bool check_name(const PlacedExpression& placed, const std::string& name) const {
    const std::string_view inner = inner_name(name);
    if (name == "as_found") {
      if (placed.role == ExpressionRole::with) return true;
      add(placed, name, "'as_found' alone stands only in 'with'; write as_found(parameter)");
      return false;
    }
    if (placed.role == ExpressionRole::range) return check_range_name(placed, name);
    const PlacedParameter* const parameter = find_parameter(parameters_, inner);
    if (parameter != nullptr) return parameter->type_is_known;
    if (is_fact(name)) return true;
    std::vector<std::string> known = names_of(parameters_);
    if (inner == name) known.insert(known.end(), fact_names().begin(), fact_names().end());
    add(placed, inner,
        fmt::format("unknown name '{}'; known are the parameters and the facts {}{}", inner, facts(), did_you_mean(inner, known)));
    return false;
  }

  bool check_range_name(const PlacedExpression& placed, const std::string& name) const {
    if (is_fact(name)) return true;
    const bool is_parameter = find_parameter(parameters_, inner_name(name)) != nullptr;
    add(placed, inner_name(name),
        is_parameter ? fmt::format("'{}' is a parameter, a range may use only the facts {}", inner_name(name), facts())
                     : fmt::format("unknown name '{}'; a range may use the facts {}{}", name, facts(), did_you_mean(name, fact_names())));
    return false;
  }

  bool check_kind(const PlacedExpression& placed) const {
    const auto kind = placed.expression.kind([this, &placed](std::string_view name) { return kind_of_name(placed, name); });
    if (!kind) {
      add(placed, {}, fmt::format("in the expression \"{}\": {}", placed.expression.text(), kind.error().text));
      return false;
    }
    const bool wants_number = placed.role == ExpressionRole::range;
    const bool wants_boolean = placed.role == ExpressionRole::when || placed.role == ExpressionRole::require;
    const bool fits = (!wants_number || *kind == ExpressionKind::number) && (!wants_boolean || *kind == ExpressionKind::boolean);
    if (!fits)
      add(placed, {},
          fmt::format("the expression \"{}\" must be {}", placed.expression.text(),
                      wants_number ? "a number" : "true or false (a comparison)"));
    return fits;
  }

  std::optional<ExpressionKind> kind_of_name(const PlacedExpression& placed, std::string_view name) const {
    if (name == "as_found") return is_text(form_of(placed.setting)) ? ExpressionKind::text : ExpressionKind::number;
    const bool knows_parameters = placed.role != ExpressionRole::range;
    const PlacedParameter* const parameter = knows_parameters ? find_parameter(parameters_, inner_name(name)) : nullptr;
    if (parameter != nullptr) return kind_of_type(parameter->parameter.type);
    return is_fact(name) ? std::optional(ExpressionKind::number) : std::nullopt;
  }

  void check_constant(const PlacedExpression& placed) const {
    if (!placed.expression.names().empty()) return;
    const auto value = placed.expression.evaluate([](std::string_view) { return std::optional<ExpressionValue>(); });
    if (!value) add(placed, {}, fmt::format("in the expression \"{}\": {}", placed.expression.text(), value.error().text));
  }

  static std::string facts() { return fmt::format("{}", fmt::join(fact_names(), ", ")); }

  /// At the place of `name` in the expression, or at its beginning.
  void add(const PlacedExpression& placed, std::string_view name, std::string message) const {
    const auto tokens = tokenize(placed.expression.text());
    if (tokens && !name.empty())
      for (const Token& token : *tokens)
        if (token.text == name && token.kind == TokenKind::name)
          return diagnostics_.add(inside(*placed.value, token.offset), std::move(message));
    diagnostics_.add(placed.value->position, std::move(message));
  }

  const PlacedParameters& parameters_;
  Diagnostics& diagnostics_;
};

/// Walks along the conditions; each parameter is entered once.
class CircleFinder {
 public:
  CircleFinder(const PlacedParameters& parameters, Diagnostics& diagnostics) : parameters_(parameters), diagnostics_(diagnostics) {}

  void visit(const PlacedParameter& placed) {
    const std::string& name = placed.parameter.name;
    if (const auto on_path = std::ranges::find(path_, name); on_path != path_.end()) {
      const std::vector<std::string> circle(on_path, path_.end());
      diagnostics_.add(find_parameter(parameters_, circle.front())->position,
                       fmt::format("the conditions of parameters go in a circle: {} -> {}", fmt::join(circle, " -> "), name));
      return;
    }
    if (!done_.insert(name).second || !placed.parameter.when) return;
    path_.push_back(name);
    for (const std::string& next : placed.parameter.when->names())
      if (const PlacedParameter* parameter = find_parameter(parameters_, next)) visit(*parameter);
    path_.pop_back();
  }

 private:
  const PlacedParameters& parameters_;
  Diagnostics& diagnostics_;
  std::set<std::string> done_;
  std::vector<std::string> path_;
};

/// Against ranges whose ends are constants; the others need the machine's facts and are checked when the space is resolved.
bool is_within(const Parameter& parameter, const Value& value) {
  const auto number = number_of(value);
  if (!number || !parameter.low || !parameter.high) {
    const bool is_listed = std::ranges::find(parameter.values, value) != parameter.values.end();
    return parameter.values.empty() || is_listed || std::holds_alternative<AsFound>(value);
  }
  if (std::ranges::find(parameter.special, value) != parameter.special.end()) return true;
  const auto low = constant_of(*parameter.low);
  const auto high = constant_of(*parameter.high);
  return (!low || *number >= *low) && (!high || *number <= *high);
}

void read_start_entry(const TomlTable& entry, const PlacedParameters& parameters, Configuration& start, Diagnostics& diagnostics) {
  for (const TomlEntry& item : entry) {
    const PlacedParameter* const placed = find_parameter(parameters, item.key);
    if (placed == nullptr) {
      diagnostics.add(item.position,
                      fmt::format("'start' names the unknown parameter '{}'{}", item.key, did_you_mean(item.key, names_of(parameters))));
      continue;
    }
    if (!placed->type_is_known) continue;
    const auto value = value_of(item.value, item.key, placed->parameter.type, diagnostics);
    if (!value) continue;
    if (is_within(placed->parameter, *value))
      start.values[item.key] = *value;
    else
      diagnostics.add(item.value.position, fmt::format("{} is not a value of the parameter '{}'", to_text(*value), item.key));
  }
}

}  // namespace

std::vector<PlacedExpression> read_constraints(TableReader& reader) {
  std::vector<PlacedExpression> require;
  constexpr std::string_view kExample = "require = [\"processes <= cpus\"]";
  for (const TomlValue& item : reader.list("require", "a list of conditions", kExample)) {
    const auto* text = text_of(item, "an item of 'require'", kExample, reader.diagnostics());
    auto condition = text == nullptr ? std::nullopt : expression_of(item, *text, reader.diagnostics());
    if (condition) require.push_back({*std::move(condition), &item, ExpressionRole::require, {}});
  }
  reader.finish();
  return require;
}

void check_expressions(const PlacedParameters& parameters, const std::vector<PlacedExpression>& require, Diagnostics& diagnostics) {
  const ExpressionChecker checker(parameters, diagnostics);
  for (const PlacedParameter& placed : parameters)
    for (const PlacedExpression& expression : placed.expressions) checker.check(expression);
  for (const PlacedExpression& expression : require) checker.check(expression);
}

void check_settings_once(const PlacedParameters& parameters, Diagnostics& diagnostics) {
  std::map<std::string, const PlacedParameter*> owners;
  for (const PlacedParameter& placed : parameters)
    for (const PlacedSetting& setting : placed.settings) {
      const auto [owner, is_new] = owners.emplace(setting.name, &placed);
      if (!is_new)
        diagnostics.add(setting.position, fmt::format("'{}' is already changed by the parameter '{}' (line {})", setting.name,
                                                      owner->second->parameter.name, owner->second->position.line));
    }
}

void check_condition_circles(const PlacedParameters& parameters, Diagnostics& diagnostics) {
  CircleFinder finder(parameters, diagnostics);
  for (const PlacedParameter& placed : parameters) finder.visit(placed);
}

void check_irqbalance(const PlacedParameters& parameters, IrqbalancePolicy policy, Diagnostics& diagnostics) {
  const auto setting_of = [](const PlacedParameter& placed, std::string_view prefix) {
    return std::ranges::find_if(placed.settings, [prefix](const PlacedSetting& setting) { return setting.name.starts_with(prefix); });
  };
  const auto daemon = std::ranges::find_if(
      parameters, [&](const PlacedParameter& placed) { return setting_of(placed, "actors.irqbalance") != placed.settings.end(); });
  if (daemon == parameters.end()) return;
  const std::string& name = daemon->parameter.name;
  if (policy != IrqbalancePolicy::ignore)
    diagnostics.add(daemon->position,
                    fmt::format("'{}' changes actors.irqbalance from trial to trial, and safety.irqbalance = \"{}\" settles "
                                "it for all of them: leave one out",
                                name, to_text(policy)));
  for (const PlacedParameter& placed : parameters) {
    if (setting_of(placed, "interrupts.") == placed.settings.end() || &placed == &*daemon) continue;
    const auto conditions = placed.parameter.when ? placed.parameter.when->names() : std::vector<std::string>();
    if (std::ranges::find(conditions, name) != conditions.end()) continue;
    diagnostics.add(placed.position, fmt::format("a running irqbalance moves the interrupts that '{0}' places: write when = \"{1} != "
                                                 "'running'\" in [parameters.{0}]",
                                                 placed.parameter.name, name));
  }
}

std::vector<Configuration> read_start(TableReader& reader, const PlacedParameters& parameters) {
  std::vector<Configuration> starts;
  constexpr std::string_view kExample = "start = [{ processes = 2 }]";
  for (const TomlValue& item : reader.list("start", "a list of tables", kExample)) {
    const auto* entry = std::get_if<TomlTable>(&item.data);
    if (entry == nullptr) {
      wrong_type(item, "an item of 'start'", "a table", kExample, reader.diagnostics());
      continue;
    }
    Configuration start;
    for (const PlacedParameter& placed : parameters) start.values.emplace(placed.parameter.name, AsFound{});
    read_start_entry(*entry, parameters, start, reader.diagnostics());
    starts.push_back(std::move(start));
  }
  return starts;
}

}  // namespace netsettle
