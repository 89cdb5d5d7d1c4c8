#pragma once
// A TOML text as a plain tree with positions, in the order of the file. The TOML library stays behind this header, so that the rules of the
// experiment file are written against five kinds of value only. Private to this folder.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle {

/// Where a key or value stands: in the file (line and column from 1, counted in characters) or on the command line.
struct TomlPosition {
  int line = 0;
  int column = 0;
  std::string override_text;  // "--set budget.trials=x"; empty for what stands in the file
};

/// A date or a time: TOML has them, no key of ours wants one.
struct TomlDate {};

struct TomlEntry;
struct TomlValue;
using TomlArray = std::vector<TomlValue>;
using TomlTable = std::vector<TomlEntry>;

struct TomlValue {
  std::variant<bool, std::int64_t, double, std::string, TomlDate, TomlArray, TomlTable> data;
  TomlPosition position;
  bool is_plain_text = false;  // a one-line text without escapes: character i stands at position.column + 1 + i
};

struct TomlEntry {
  std::string key;
  TomlPosition position;  // of the key
  TomlValue value;
};

/// "a whole number", "a text", …: for messages about a wrong type.
std::string_view kind_of(const TomlValue& value);

/// The entry with this key, or nullptr.
TomlEntry* find_entry(TomlTable& table, std::string_view key);

struct TomlSyntaxError {
  TomlPosition position;
  std::string text;
};

/// Parses a whole document. A TOML parser stops at the first mistake of syntax, so there is one.
std::expected<TomlTable, TomlSyntaxError> parse_toml(std::string_view text);

/// Parses one value as it may stand right of '='; what is not TOML (2s, namespaces) and what would be a date (06:30:00) is a text.
TomlValue parse_toml_value_or_text(std::string_view text);

/// Puts a value at a dotted path ("trial.measure"), making the tables on the way. `position` is that of all that is new. Failure:
/// invalid_input for a path that is no list of bare keys or that leads through something that is no table.
Expected<void> set_path(TomlTable& table, std::string_view path, TomlValue value, const TomlPosition& position);

}  // namespace netsettle
