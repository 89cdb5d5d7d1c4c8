#pragma once
// The value of one parameter in one configuration.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "datasets/model/error.hpp"

namespace netsettle {

/// The value that the machine (or the experiment file, for server.* and load.*) had: a level of every parameter.
struct AsFound {
  auto operator<=>(const AsFound&) const = default;
};

/// integer, bytes (in bytes) and duration (in microseconds) are int64; real is double; categorical and cpus are text.
using Value = std::variant<AsFound, bool, std::int64_t, double, std::string>;

/// Canonical text: "as-found", "true", "4096", shortest round-trip double, the text itself.
std::string to_text(const Value& value);

/// The number that a value is; absent for as-found, booleans and texts.
std::optional<double> number_of(const Value& value);

/// "64KiB", "16 MiB", "4096" → bytes. Units B, KiB, MiB, GiB (binary only: "KB" is refused as ambiguous).
Expected<std::int64_t> parse_bytes(std::string_view text);
/// "500ms", "30s", "1.5s", "250us", "2min", "8h" → microseconds.
Expected<std::int64_t> parse_duration_us(std::string_view text);
/// 65536 → "64 KiB"; 1000 → "1000 B". For people.
std::string format_bytes(std::int64_t bytes);
/// 90'000'000 → "90 s", 5'400'000'000 → "1 h 30 min". For people.
std::string format_duration_us(std::int64_t duration_us);

}  // namespace netsettle
