#include "datasets/model/parameter_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace netsettle {
namespace {

struct TypeWords {
  std::string_view expected;
  std::string_view example;
};

TypeWords words_for(ParameterType type) {
  switch (type) {
    case ParameterType::integer:
      return {"a whole number", "4096"};
    case ParameterType::real:
      return {"a number", "0.5"};
    case ParameterType::bytes:
      return {"a size", "\"64KiB\""};
    case ParameterType::duration:
      return {"a duration", "\"500us\""};
    case ParameterType::boolean:
      return {"true or false", "true"};
    case ParameterType::categorical:
      return {"a text in quotes", "\"spread\""};
    case ParameterType::cpus:
      return {"a CPU list in quotes", "\"0-3\""};
  }
  return {};
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool is_exact(std::int64_t number) { return number >= -kMaxExactInteger && number <= kMaxExactInteger; }

std::optional<Value> text_value(const TomlValue& value, const std::string& text, std::string_view what, ParameterType type,
                                Diagnostics& diagnostics) {
  if (text == "as-found") return AsFound{};
  const bool as_text =
      type == ParameterType::categorical || type == ParameterType::cpus || type == ParameterType::bytes || type == ParameterType::duration;
  const auto [expected, example] = words_for(type);
  if (!as_text) {
    wrong_type(value, what, expected, example, diagnostics);
    return std::nullopt;
  }
  auto parsed = parse_value(type, text);
  if (parsed && !has_control_character(text)) return *std::move(parsed);
  const std::string why = parsed ? std::string("it contains a control character") : parsed.error().text;
  diagnostics.add(value.position, fmt::format("\"{}\" in '{}' is not {}: {} (like {})", text, what, expected, why, example));
  return std::nullopt;
}

std::optional<Value> integer_value(const TomlValue& value, std::int64_t number, std::string_view what, ParameterType type,
                                   Diagnostics& diagnostics) {
  if (type == ParameterType::real) return static_cast<double>(number);
  const bool negative_size = type == ParameterType::bytes && number < 0;
  if ((type != ParameterType::integer && type != ParameterType::bytes) || negative_size) {
    wrong_type(value, what, words_for(type).expected, words_for(type).example, diagnostics);
    return std::nullopt;
  }
  if (is_exact(number)) return number;
  diagnostics.add(value.position, fmt::format("{} in '{}' is too large: whole numbers are exact up to 2^53", number, what));
  return std::nullopt;
}

bool starts_with_number(std::string_view text) { return !text.empty() && text.front() >= '0' && text.front() <= '9'; }

std::optional<Expression> text_bound(const TomlValue& value, const std::string& text, ParameterType type, Diagnostics& diagnostics) {
  const bool with_unit = type == ParameterType::bytes || type == ParameterType::duration;
  if (with_unit) {
    const auto parsed = parse_value(type, text);
    if (parsed && number_of(*parsed)) return Expression::number(*number_of(*parsed));
    // "64KB" was meant as a size and "ram / 8" as an expression: each gets the message of its kind.
    if (!parsed && starts_with_number(text) && !Expression::parse(text)) {
      const auto [expected, example] = words_for(type);
      diagnostics.add(value.position,
                      fmt::format("\"{}\" in 'range' is not {}: {} (like {})", text, expected, parsed.error().text, example));
      return std::nullopt;
    }
  }
  return expression_of(value, text, diagnostics);
}

}  // namespace

std::optional<Value> value_of(const TomlValue& value, std::string_view what, ParameterType type, Diagnostics& diagnostics) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return text_value(value, *text, what, type, diagnostics);
  if (const auto* number = std::get_if<std::int64_t>(&value.data)) return integer_value(value, *number, what, type, diagnostics);
  if (const auto* real = std::get_if<double>(&value.data); real != nullptr && type == ParameterType::real && std::isfinite(*real))
    return *real;
  if (const auto* flag = std::get_if<bool>(&value.data); flag != nullptr && type == ParameterType::boolean) return *flag;
  wrong_type(value, what, words_for(type).expected, words_for(type).example, diagnostics);
  return std::nullopt;
}

std::optional<Expression> bound_of(const TomlValue& value, ParameterType type, Diagnostics& diagnostics) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return text_bound(value, *text, type, diagnostics);
  const auto parsed = value_of(value, "range", type, diagnostics);
  if (!parsed) return std::nullopt;
  return Expression::number(number_of(*parsed).value_or(0));
}

std::optional<double> constant_of(const Expression& expression) {
  if (!expression.names().empty()) return std::nullopt;
  const auto number = expression.evaluate_number([](std::string_view) { return std::optional<ExpressionValue>(); });
  if (!number) return std::nullopt;
  return *number;
}

}  // namespace netsettle
