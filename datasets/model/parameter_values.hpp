#pragma once
// TOML values of a parameter's table → values and bounds of its type. Private to this folder.

#include <optional>
#include <string_view>

#include "datasets/model/parameter.hpp"
#include "datasets/model/table_reader.hpp"

namespace netsettle {

/// Whole numbers beyond this (2^53) are not exact as a double, and expressions calculate with doubles.
inline constexpr std::int64_t kMaxExactInteger = std::int64_t{1} << 53;

/// One value as a list of levels or a search start writes it ("64KiB", 4, true, "epoll", "as-found"). Absent: it is not of the type, and
/// the diagnostic is written.
std::optional<Value> value_of(const TomlValue& value, std::string_view what, ParameterType type, Diagnostics& diagnostics);

/// One end of a range: a value of the type, or an expression in quotes.
std::optional<Expression> bound_of(const TomlValue& value, ParameterType type, Diagnostics& diagnostics);

/// The number that an expression without names is; absent where it has names or cannot be computed.
std::optional<double> constant_of(const Expression& expression);

}  // namespace netsettle
