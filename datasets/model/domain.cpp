#include "datasets/model/domain.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/parameter_values.hpp"

namespace netsettle {
namespace {

constexpr double kStepTolerance = 1e-9;  // of a step: what rounding may do to a sum of steps

bool is_whole_type(ParameterType type) { return is_numeric(type) && type != ParameterType::real; }

/// What a setting had, as a value of the parameter's type; nullopt where it cannot be written as one.
std::optional<Value> as_type(ParameterType type, const Value& found) {
  if (std::holds_alternative<AsFound>(found)) return std::nullopt;
  if (type == ParameterType::categorical) return to_text(found);
  if (type == ParameterType::cpus) {
    const auto cpus = parse_cpu_list(to_text(found));
    return cpus ? std::optional<Value>(to_cpu_list(*cpus)) : std::nullopt;
  }
  if (type == ParameterType::boolean) {
    if (std::holds_alternative<bool>(found)) return found;
    const auto number = number_of(found);
    return number == 0 || number == 1 ? std::optional<Value>(*number == 1) : std::nullopt;
  }
  const auto number = number_of(found);
  if (!number) return std::nullopt;
  if (type == ParameterType::real) return *number;
  if (std::holds_alternative<std::int64_t>(found)) return found;
  const bool is_exact = *number == std::floor(*number) && std::abs(*number) <= static_cast<double>(kMaxExactInteger);
  return is_exact ? std::optional<Value>(static_cast<std::int64_t>(*number)) : std::nullopt;
}

/// The one value that all settings of the parameter had.
std::optional<Value> common_as_found(const Parameter& parameter, const AsFoundValues& as_found) {
  std::optional<Value> common;
  for (const std::string& setting : parameter.sets) {
    const auto found = as_found.find(setting);
    if (found == as_found.end()) return std::nullopt;
    const auto value = as_type(parameter.type, found->second);
    if (!value || (common && *common != *value)) return std::nullopt;
    common = value;
  }
  return common;
}

Expected<double> resolve_bound(const Parameter& parameter, const Expression& bound, const Facts& facts) {
  const auto lookup = [&facts](std::string_view name) -> std::optional<ExpressionValue> {
    const auto fact = facts.find(std::string(name));
    return fact == facts.end() ? std::nullopt : std::optional<ExpressionValue>(fact->second);
  };
  const auto number = bound.evaluate_number(lookup);
  if (!number)
    return fail(ErrorCode::invalid_input, parameter.name, fmt::format("in its range \"{}\": {}", bound.text(), number.error().text));
  return is_whole_type(parameter.type) ? std::round(*number) : *number;
}

Expected<void> check_range(const Domain& domain) {
  const auto invalid = [&domain](std::string text) { return fail(ErrorCode::invalid_input, domain.name, std::move(text)); };
  if (domain.low > domain.high) return invalid(fmt::format("its range is empty here: {} is above {}", domain.low, domain.high));
  if (domain.scale == Scale::logarithmic && domain.low <= 0)
    return invalid(fmt::format("a log scale needs a range above 0, not from {}", domain.low));
  const double largest = std::max(std::abs(domain.low), std::abs(domain.high));
  if (is_whole_type(domain.type) && largest > static_cast<double>(kMaxExactInteger))
    return invalid(fmt::format("its range goes to {}, and whole numbers are exact up to 2^53", largest));
  return {};
}

/// Steps from low to high, 0 where low is the only one. A real high that is missed by rounding alone counts.
std::uint64_t last_step(const Domain& domain, double step) {
  const double steps = std::floor((domain.high - domain.low) / step + kStepTolerance);
  return static_cast<std::uint64_t>(std::min(steps, static_cast<double>(kMaxExactInteger)));
}

std::optional<double> effective_step(const Domain& domain) {
  if (domain.step) return domain.step;
  return is_whole_type(domain.type) ? std::optional(1.0) : std::nullopt;
}

Value number_value(ParameterType type, double number) {
  if (type == ParameterType::real) return number;
  return static_cast<std::int64_t>(number);
}

bool is_on_step(const Domain& domain, double number) {
  const auto step = effective_step(domain);
  if (!step) return true;
  const double steps = (number - domain.low) / *step;
  return std::abs(steps - std::round(steps)) <= kStepTolerance;
}

bool has_the_type(ParameterType type, const Value& value) {
  switch (type) {
    case ParameterType::integer:
    case ParameterType::bytes:
    case ParameterType::duration:
      return std::holds_alternative<std::int64_t>(value);
    case ParameterType::real:
      return std::holds_alternative<double>(value);
    case ParameterType::boolean:
      return std::holds_alternative<bool>(value);
    case ParameterType::categorical:
    case ParameterType::cpus:
      return std::holds_alternative<std::string>(value);
  }
  return false;
}

/// The step that a number means, or the number itself. Sums of steps differ in the last bits (0.1 + 0.2 is above 0.3), and each step must
/// be one value.
double snapped(const Domain& domain, double step, double number) {
  const double nearest = std::min(domain.low + std::round((number - domain.low) / step) * step, domain.high);
  return std::abs(nearest - number) <= kStepTolerance * step ? nearest : number;
}

bool is_in(const std::vector<Value>& values, const Value& value) { return std::ranges::find(values, value) != values.end(); }

/// Among the levels or in the range; special values and as-found do not count.
bool is_regular(const Domain& domain, const Value& value) {
  if (!has_the_type(domain.type, value)) return false;
  if (!domain.levels.empty()) return is_in(domain.levels, value);
  const auto number = number_of(value);
  return number && *number >= domain.low && *number <= domain.high && is_on_step(domain, *number);
}

std::string description(const Domain& domain) {
  if (domain.levels.empty()) return fmt::format("from {} to {}", domain.low, domain.high);
  std::string text;
  for (const Value& level : domain.levels) text += (text.empty() ? "" : ", ") + to_text(level);
  return text;
}

}  // namespace

Expected<Domain> resolve_domain(const Parameter& parameter, const Facts& facts, const AsFoundValues& as_found) {
  Domain domain{.name = parameter.name,
                .type = parameter.type,
                .step = parameter.step,
                .scale = parameter.scale,
                .levels = parameter.values,
                .special = parameter.special,
                .as_found = parameter.default_value ? parameter.default_value : common_as_found(parameter, as_found)};
  if (parameter.type == ParameterType::boolean) domain.levels = {false, true};
  if (!domain.levels.empty()) return domain;
  if (!parameter.low || !parameter.high) return fail(ErrorCode::invalid_input, parameter.name, "it has neither a range nor values");
  NETSETTLE_ASSIGN(domain.low, resolve_bound(parameter, *parameter.low, facts));
  NETSETTLE_ASSIGN(domain.high, resolve_bound(parameter, *parameter.high, facts));
  NETSETTLE_TRY(check_range(domain));
  return domain;
}

bool contains(const Domain& domain, const Value& value) {
  return std::holds_alternative<AsFound>(value) || is_in(domain.special, value) || is_regular(domain, value);
}

Expected<Value> normalized(const Domain& domain, const Value& value) {
  Value typed = value;
  if (const auto* number = std::get_if<std::int64_t>(&value); number != nullptr && domain.type == ParameterType::real)
    typed = static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&typed); number != nullptr && domain.step) typed = snapped(domain, *domain.step, *number);
  if (domain.as_found && typed == *domain.as_found) return Value(AsFound{});
  if (!contains(domain, typed))
    return fail(ErrorCode::invalid_input, domain.name,
                fmt::format("{} is not one of its values ({})", to_text(value), description(domain)));
  return typed;
}

std::optional<std::uint64_t> SearchSpace::cardinality(const Domain& domain) {
  std::uint64_t count = domain.levels.size();
  if (domain.levels.empty()) {
    const auto step = effective_step(domain);
    if (!step) return std::nullopt;
    count = last_step(domain, *step) + 1;
  }
  for (const Value& special : domain.special)
    if (!is_regular(domain, special)) ++count;
  // as-found is one level more, unless it is one of the others under another name.
  const bool is_counted = domain.as_found && (is_in(domain.special, *domain.as_found) || is_regular(domain, *domain.as_found));
  return is_counted ? count : count + 1;
}

std::optional<std::vector<Value>> all_values(const Domain& domain, std::uint64_t limit) {
  const auto count = SearchSpace::cardinality(domain);
  if (!count || *count > limit) return std::nullopt;
  std::vector<Value> values = {AsFound{}};
  const auto add = [&](const Value& value) {
    if (value != domain.as_found) values.push_back(value);
  };
  for (const Value& level : domain.levels) add(level);
  if (domain.levels.empty()) {
    const double step = *effective_step(domain);
    for (std::uint64_t i = 0; i <= last_step(domain, step); ++i)
      add(number_value(domain.type, std::min(domain.low + static_cast<double>(i) * step, domain.high)));
  }
  for (const Value& special : domain.special)
    if (!is_regular(domain, special)) add(special);
  return values;
}

ExpressionValue to_expression_value(const Value& value) {
  if (std::holds_alternative<AsFound>(value)) return Inactive{};
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto number = number_of(value)) return *number;
  return std::get<std::string>(value);
}

}  // namespace netsettle
