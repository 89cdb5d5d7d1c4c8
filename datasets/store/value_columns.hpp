#pragma once
// A Value in the record: as the columns type, integer_value, real_value, text_value (exactly one of the three, none for as-found), and as
// JSON in lists. Both keep the kind: as-found is not the text "as-found", 1 is neither 1.0 nor true.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/value.hpp"
#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

// Stored values: append-only.
enum class ValueType { as_found = 1, boolean = 2, integer = 3, real = 4, text = 5 };

struct ValueColumns {
  ValueType type = ValueType::as_found;
  std::optional<std::int64_t> integer;
  std::optional<double> real;
  std::optional<std::string> text;
};

ValueColumns to_columns(const Value& value);
/// Reads type, integer_value, real_value, text_value from four columns that start with `first`.
Value value_at(const Statement& row, int first);

/// null (as-found), true, 4096, 0.5 or "text".
std::string to_json(const Value& value);
std::string to_json(const std::vector<Value>& values);
std::string to_json(const std::vector<std::string>& texts);

/// Failure: io where the text is not what to_json writes (a damaged record).
Expected<Value> value_from_json(const std::string& json);
Expected<std::vector<Value>> values_from_json(const std::string& json);
Expected<std::vector<std::string>> texts_from_json(const std::string& json);

}  // namespace netsettle::datasets
