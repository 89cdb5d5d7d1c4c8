#include "datasets/model/experiment_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "datasets/model/cpu_place.hpp"
#include "datasets/model/experiment_sections.hpp"
#include "datasets/model/expression_lexer.hpp"
#include "datasets/model/nearest.hpp"
#include "datasets/model/parameter_values.hpp"
#include "datasets/model/setting_form.hpp"
#include "datasets/model/setting_name.hpp"

namespace netsettle {
namespace {

/// Reads one [parameters.NAME] table.
class ParameterReader {
 public:
  ParameterReader(TableReader reader, std::string name, RigKind rig)
      : reader_(std::move(reader)), diagnostics_(reader_.diagnostics()), rig_(rig) {
    placed_.parameter.name = std::move(name);
    placed_.position = reader_.position();
  }

  PlacedParameter run() && {
    read_sets();
    if (read_type()) {
      read_domain();
      check_settings_fit();
    }
    read_when();
    if (is_external())
      refuse_machine_keys();
    else
      read_machine_keys();
    read_default();
    reader_.finish();
    return std::move(placed_);
  }

 private:
  void add_setting(const std::string& setting, const TomlPosition& position) {
    if (const auto valid = check_setting_name(setting, rig_); !valid) return diagnostics_.add(position, valid.error().text);
    placed_.settings.push_back({setting, position});
  }

  void read_sets() {
    constexpr std::string_view kExample = "sets = \"sysctl.net.core.rmem_max\"";
    if (is_external()) return reader_.texts("sets", placed_.parameter.sets);  // for people; nothing is set by it
    const TomlValue* const value = reader_.require("sets", kExample);
    if (value == nullptr) return;
    if (const auto* text = std::get_if<std::string>(&value->data)) {
      add_setting(*text, value->position);
    } else if (const auto* items = std::get_if<TomlArray>(&value->data)) {
      for (const TomlValue& item : *items)
        if (const auto* setting = text_of(item, "an item of 'sets'", kExample, diagnostics_)) add_setting(*setting, item.position);
      if (items->empty()) diagnostics_.add(value->position, fmt::format("'sets' is an empty list (like {})", kExample));
    } else {
      wrong_type(*value, "sets", "a text or a list of texts", kExample, diagnostics_);
    }
    for (const PlacedSetting& setting : placed_.settings) placed_.parameter.sets.push_back(setting.name);
  }

  bool read_type() {
    std::optional<ParameterType> type;
    Choices<std::optional<ParameterType>> types;
    for (const auto known : {ParameterType::integer, ParameterType::real, ParameterType::bytes, ParameterType::duration,
                             ParameterType::boolean, ParameterType::categorical, ParameterType::cpus})
      types.known.emplace_back(std::string(to_text(known)), known);
    if (reader_.require("type", "type = \"integer\"") != nullptr) reader_.choice("type", types, type);
    if (!type) {
      for (const std::string_view key : {"range", "values", "scale", "step", "special"}) reader_.take(key);
      return false;
    }
    placed_.parameter.type = *type;
    placed_.type_is_known = true;
    return true;
  }

  void read_domain() {
    Parameter& parameter = placed_.parameter;
    const TomlValue* const range = reader_.take("range");
    const TomlValue* const values = reader_.take("values");
    read_levels(reader_.take("special"), "special", parameter.special);
    if (is_numeric(parameter.type)) {
      read_scale();
      if ((range == nullptr) == (values == nullptr))
        diagnostics_.add(range == nullptr ? reader_.position() : values->position,
                         fmt::format("[{}] needs either a 'range' or a list of 'values'", reader_.name()));
      else if (range != nullptr)
        read_range(*range);
      else
        read_values(*values);
      return;
    }
    for (const std::string_view key : {"range", "scale", "step"})
      if (const TomlValue* value = reader_.take(key))
        diagnostics_.add(value->position, fmt::format("'{}' means nothing for type \"{}\"", key, to_text(parameter.type)));
    read_named_values(values);
  }

  /// Of boolean, categorical and cpus.
  void read_named_values(const TomlValue* values) {
    const bool is_boolean = placed_.parameter.type == ParameterType::boolean;
    if (is_boolean && values != nullptr)
      diagnostics_.add(values->position, "a boolean has the values true and false: 'values' means nothing here");
    if (is_boolean) return;
    if (values == nullptr)
      diagnostics_.add(reader_.position(),
                       fmt::format("[{}] needs the key 'values' (like values = [{}])", reader_.name(),
                                   placed_.parameter.type == ParameterType::cpus ? "\"0-1\", \"0-3\"" : "\"pack\", \"spread\""));
    else
      read_values(*values);
  }

  void read_values(const TomlValue& values) {
    const std::size_t before = diagnostics_.count();
    read_levels(&values, "values", placed_.parameter.values);
    if (placed_.parameter.values.empty() && diagnostics_.count() == before)
      diagnostics_.add(values.position, "'values' needs at least one value beside \"as-found\"");
  }

  /// as-found is always a level and is not stored.
  void read_levels(const TomlValue* value, std::string_view key, std::vector<Value>& levels) {
    if (value == nullptr) return;
    const auto* items = std::get_if<TomlArray>(&value->data);
    if (items == nullptr) return wrong_type(*value, key, "a list", fmt::format("{} = [...]", key), diagnostics_);
    for (const TomlValue& item : *items) {
      const auto level = value_of(item, key, placed_.parameter.type, diagnostics_);
      if (!level || std::holds_alternative<AsFound>(*level)) continue;
      if (std::ranges::find(levels, *level) != levels.end())
        diagnostics_.add(item.position, fmt::format("'{}' has the value {} twice", key, to_text(*level)));
      else
        levels.push_back(*level);
    }
  }

  void read_scale() {
    Parameter& parameter = placed_.parameter;
    reader_.choice("scale", Choices<Scale>{.known = {{"linear", Scale::linear}, {"log", Scale::logarithmic}}, .later = {}},
                   parameter.scale);
    const TomlValue* const step = reader_.take("step");
    if (step == nullptr) return;
    const auto value = value_of(*step, "step", parameter.type, diagnostics_);
    const auto number = value ? number_of(*value) : std::nullopt;
    if (value && (!number || *number <= 0))
      diagnostics_.add(step->position, "'step' must be above 0");
    else if (value && parameter.scale == Scale::logarithmic)
      diagnostics_.add(step->position, "'step' needs scale = \"linear\"");
    else
      parameter.step = number;
  }

  void read_range(const TomlValue& range) {
    const auto* ends = std::get_if<TomlArray>(&range.data);
    if (ends == nullptr) return wrong_type(range, "range", "a list of two ends", "range = [1, \"cpus\"]", diagnostics_);
    if (ends->size() != 2)
      return diagnostics_.add(range.position, fmt::format("'range' needs two ends, not {} (like range = [1, \"cpus\"])", ends->size()));
    Parameter& parameter = placed_.parameter;
    parameter.low = read_bound((*ends)[0]);
    parameter.high = read_bound((*ends)[1]);
    if (!parameter.low || !parameter.high) return;
    const auto low = constant_of(*parameter.low);
    const auto high = constant_of(*parameter.high);
    if (low && high && *low > *high)
      diagnostics_.add(range.position, fmt::format("the range is empty: {} is above {}", parameter.low->text(), parameter.high->text()));
    if (parameter.scale == Scale::logarithmic && low && *low <= 0)
      diagnostics_.add((*ends)[0].position, fmt::format("scale = \"log\" needs a range above 0, not from {}", parameter.low->text()));
  }

  std::optional<Expression> read_bound(const TomlValue& value) {
    auto bound = bound_of(value, placed_.parameter.type, diagnostics_);
    if (!bound) return std::nullopt;
    placed_.expressions.push_back({*bound, &value, ExpressionRole::range, {}});
    const auto constant = constant_of(*bound);
    if (constant && placed_.parameter.type != ParameterType::real) {
      if (std::abs(*constant) > static_cast<double>(kMaxExactInteger))
        diagnostics_.add(value.position, fmt::format("{} in 'range' is too large: whole numbers are exact up to 2^53", bound->text()));
      else if (*constant != std::floor(*constant))
        diagnostics_.add(value.position, fmt::format("{} in 'range' is not a whole number", bound->text()));
    }
    return bound;
  }

  void check_settings_fit() {
    for (const PlacedSetting& setting : placed_.settings) {
      const SettingForm form = form_of(setting.name);
      if (form.types.empty()) continue;
      if (std::ranges::find(form.types, placed_.parameter.type) == form.types.end())
        diagnostics_.add(setting.position, fmt::format("{} needs type {}", setting.name, type_list(form.types)));
      else if (is_text(form))
        check_words(setting, form);
      else if (const auto lowest = lowest_constant(); lowest && *lowest < form.smallest)
        diagnostics_.add(setting.position, fmt::format("{} cannot be below {}", setting.name, form.smallest));
    }
  }

  static std::string type_list(const std::vector<ParameterType>& types) {
    std::string list;
    for (const ParameterType type : types) list += fmt::format("{}\"{}\"", list.empty() ? "" : " or ", to_text(type));
    return list;
  }

  void check_words(const PlacedSetting& setting, const SettingForm& form) {
    for (const Value& value : placed_.parameter.values) {
      const std::string text = to_text(value);
      const bool is_known =
          form.words.empty() || std::holds_alternative<AsFound>(value) || std::ranges::find(form.words, text) != form.words.end();
      if (is_known || (form.cpu_list && parse_cpu_list(text)) || (form.node && node_in_word(text))) continue;
      const std::string_view beside = form.cpu_list ? " or a CPU list" : form.node ? " or node:N" : "";
      diagnostics_.add(setting.position, fmt::format("{} is \"{}\"{}, not \"{}\"{}", setting.name, fmt::join(form.words, "\", \""), beside,
                                                     text, did_you_mean(text, form.words)));
    }
  }

  std::optional<double> lowest_constant() const {
    std::optional<double> lowest = placed_.parameter.low ? constant_of(*placed_.parameter.low) : std::nullopt;
    for (const auto* levels : {&placed_.parameter.values, &placed_.parameter.special})
      for (const Value& level : *levels)
        if (const auto number = number_of(level)) lowest = std::min(lowest.value_or(*number), *number);
    return lowest;
  }

  void read_when() {
    const TomlValue* const value = reader_.take("when");
    if (value == nullptr) return;
    const auto* text = text_of(*value, "when", "when = \"processes > 1\"", diagnostics_);
    if (text == nullptr) return;
    placed_.parameter.when = expression_of(*value, *text, diagnostics_);
    if (placed_.parameter.when) placed_.expressions.push_back({*placed_.parameter.when, value, ExpressionRole::when, {}});
  }

  bool is_external() const { return rig_ == RigKind::external; }

  void read_machine_keys() {
    read_with();
    reader_.boolean("optional", placed_.parameter.optional);
    reader_.boolean("keep", placed_.parameter.keep);
  }

  void refuse_machine_keys() {
    for (const std::string_view key : {"with", "optional", "keep"})
      if (const TomlValue* value = reader_.take(key)) means_nothing_outside(diagnostics_, value->position, fmt::format("'{}'", key));
  }

  /// What the other program has without any tuning: its baseline. Elsewhere the machine itself is asked.
  void read_default() {
    if (!is_external()) {
      if (const TomlValue* value = reader_.take("default"))
        diagnostics_.add(value->position, fmt::format("'default' in [{}] belongs to rig.kind = \"external\": here the baseline is what the "
                                                      "machine has",
                                                      reader_.name()));
      return;
    }
    const TomlValue* const value = reader_.require("default", "default = 4");
    if (value == nullptr || !placed_.type_is_known) return;
    const auto chosen = value_of(*value, "default", placed_.parameter.type, diagnostics_);
    if (chosen && std::holds_alternative<AsFound>(*chosen))
      diagnostics_.add(value->position, "'default' is a value of the parameter, not \"as-found\"");
    else
      placed_.parameter.default_value = chosen;
  }

  void read_with() {
    TomlValue* const value = reader_.take("with");
    if (value == nullptr) return;
    auto* entries = std::get_if<TomlTable>(&value->data);
    if (entries == nullptr)
      return wrong_type(*value, "with", "a table", "with = { \"sysctl.net.core.wmem_max\" = \"max(as_found, rmem)\" }", diagnostics_);
    for (const TomlEntry& entry : *entries) read_with_entry(entry);
  }

  void read_with_entry(const TomlEntry& entry) {
    add_setting(entry.key, entry.position);
    std::optional<Expression> expression;
    if (const auto* number = std::get_if<std::int64_t>(&entry.value.data))
      expression = Expression::number(static_cast<double>(*number));
    else if (const auto* text = text_of(entry.value, entry.key, "\"max(as_found, rmem)\"", diagnostics_))
      expression = expression_of(entry.value, *text, diagnostics_);
    if (!expression) return;
    placed_.parameter.with.emplace(entry.key, *expression);
    placed_.expressions.push_back({*expression, &entry.value, ExpressionRole::with, entry.key});
  }

  TableReader reader_;
  Diagnostics& diagnostics_;
  RigKind rig_;
  PlacedParameter placed_;
};

void check_name(const TomlEntry& entry, Diagnostics& diagnostics) {
  if (!is_identifier(entry.key))
    diagnostics.add(entry.position, fmt::format("'{}' cannot name a parameter: a letter, then letters, digits and '_'", entry.key));
  else if (is_expression_keyword(entry.key))
    diagnostics.add(entry.position, fmt::format("'{}' cannot name a parameter: it is a word of the expressions", entry.key));
}

}  // namespace

const std::vector<std::string>& fact_names() {
  static const std::vector<std::string> kNames = {"cpus", "node_cpus", "cores", "queues", "nodes", "ram", "link_gbps"};
  return kNames;
}

std::vector<PlacedParameter> read_parameters(TableReader& reader, RigKind rig) {
  // Far more than can be searched; it also bounds the depth of the checks.
  constexpr std::size_t kMaxParameters = 200;
  std::vector<PlacedParameter> parameters;
  if (reader.entries().size() > kMaxParameters) {
    reader.diagnostics().add(reader.position(), fmt::format("more than {} parameters", kMaxParameters));
    return parameters;
  }
  for (const TomlEntry& entry : reader.entries()) {
    check_name(entry, reader.diagnostics());
    if (auto table = reader.table(entry.key)) parameters.push_back(ParameterReader(*std::move(table), entry.key, rig).run());
  }
  return parameters;
}

}  // namespace netsettle
