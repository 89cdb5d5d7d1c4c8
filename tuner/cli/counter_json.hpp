#pragma once
// Counter files as JSON, one reading or the difference of two. A malformed text gives {malformed, why, good_lines}; what a reading does not
// have is null.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "datasets/model/error.hpp"
#include "tuner/cli/counter_tree.hpp"

namespace netsettle::tuner {

using Json = nlohmann::ordered_json;

Expected<Json> softnet_reading(const CounterTree& tree);
Expected<Json> softnet_difference(const CounterTree& before, const CounterTree& after);
Expected<Json> snmp_reading(const CounterTree& tree);
Expected<Json> snmp_difference(const CounterTree& before, const CounterTree& after);
Expected<Json> interrupts_reading(const CounterTree& tree);
Expected<Json> interrupts_difference(const CounterTree& before, const CounterTree& after);
Expected<Json> stat_reading(const CounterTree& tree);
Expected<Json> stat_difference(const CounterTree& before, const CounterTree& after);
Expected<Json> udp_reading(const CounterTree& tree);
Expected<Json> udp_difference(const CounterTree& before, const CounterTree& after);

/// For the implementation: the fields of a malformed text. `lines_before` are no rows (a line of names).
Json malformed_fields(const Error& error, std::size_t lines_before = 0);
/// The value, or null.
template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
/// The keys of both maps, in order.
template <typename Map>
std::vector<typename Map::key_type> keys_of_both(const Map& first, const Map& second) {
  std::set<typename Map::key_type> keys;
  for (const auto& [key, value] : first) keys.insert(key);
  for (const auto& [key, value] : second) keys.insert(key);
  return {keys.begin(), keys.end()};
}
/// Bytes that are no printable ASCII become "?": names in files may hold anything, JSON may not.
std::string printable(std::string_view text);

/// Difference modulo 2^32.
std::uint32_t delta_modulo_32(std::uint64_t before, std::uint64_t after);
/// Whether the modular difference is not plausible: it is 2^31 or more, or the counter went back and would have had to count 2^29 or more
/// since. Then it was reset.
bool looks_reset_32(std::uint64_t before, std::uint64_t after);

}  // namespace netsettle::tuner
