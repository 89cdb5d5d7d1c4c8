#include "datasets/store/value_columns.hpp"

#include <nlohmann/json.hpp>

namespace netsettle::datasets {

namespace {

using nlohmann::json;

json json_of(const Value& value) {
  struct Visitor {
    json operator()(AsFound) const { return nullptr; }
    json operator()(bool flag) const { return flag; }
    json operator()(std::int64_t number) const { return number; }
    json operator()(double number) const { return number; }
    json operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{}, value);
}

/// Bytes that are no UTF-8 (a command line may have them) are replaced: JSON cannot carry them.
std::string dump(const json& document) { return document.dump(-1, ' ', false, json::error_handler_t::replace); }

json parse(const std::string& text) { return json::parse(text, nullptr, false); }

std::optional<Value> value_of(const json& document) {
  if (document.is_null()) return AsFound{};
  if (document.is_boolean()) return document.get<bool>();
  if (document.is_number_integer()) return document.get<std::int64_t>();
  if (document.is_number_float()) return document.get<double>();
  if (document.is_string()) return document.get<std::string>();
  return std::nullopt;
}

std::unexpected<Error> damaged(const std::string& text) {
  return fail(ErrorCode::io, text, "is not what a record has here: it is damaged");
}

}  // namespace

ValueColumns to_columns(const Value& value) {
  struct Visitor {
    ValueColumns operator()(AsFound) const { return {}; }
    ValueColumns operator()(bool flag) const { return {.type = ValueType::boolean, .integer = flag ? 1 : 0}; }
    ValueColumns operator()(std::int64_t number) const { return {.type = ValueType::integer, .integer = number}; }
    ValueColumns operator()(double number) const { return {.type = ValueType::real, .real = number}; }
    ValueColumns operator()(const std::string& text) const { return {.type = ValueType::text, .text = text}; }
  };
  return std::visit(Visitor{}, value);
}

Value value_at(const Statement& row, int first) {
  switch (static_cast<ValueType>(row.integer(first))) {
    case ValueType::as_found:
      return AsFound{};
    case ValueType::boolean:
      return row.integer(first + 1) != 0;
    case ValueType::integer:
      return row.integer(first + 1);
    case ValueType::real:
      return row.real(first + 2);
    case ValueType::text:
      return row.text(first + 3);
  }
  return AsFound{};  // not reached: a foreign key keeps the type within the enumeration
}

std::string to_json(const Value& value) { return dump(json_of(value)); }

std::string to_json(const std::vector<Value>& values) {
  json list = json::array();
  for (const Value& value : values) list.push_back(json_of(value));
  return dump(list);
}

std::string to_json(const std::vector<std::string>& texts) { return dump(json(texts)); }

Expected<Value> value_from_json(const std::string& text) {
  const auto value = value_of(parse(text));
  if (!value) return damaged(text);
  return *value;
}

Expected<std::vector<Value>> values_from_json(const std::string& text) {
  const json list = parse(text);
  if (!list.is_array()) return damaged(text);
  std::vector<Value> values;
  for (const json& item : list) {
    const auto value = value_of(item);
    if (!value) return damaged(text);
    values.push_back(*value);
  }
  return values;
}

Expected<std::vector<std::string>> texts_from_json(const std::string& text) {
  NETSETTLE_ASSIGN(const std::vector<Value> values, values_from_json(text));
  std::vector<std::string> texts;
  for (const Value& value : values) {
    if (!std::holds_alternative<std::string>(value)) return damaged(text);
    texts.push_back(std::get<std::string>(value));
  }
  return texts;
}

}  // namespace netsettle::datasets
