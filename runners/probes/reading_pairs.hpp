#pragma once
// Helpers of the differences: the same source in two snapshots, and counters of 32 bits or of a long.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runners/probes/counters.hpp"

namespace netsettle::runners {

inline const std::string* text_of(const Snapshot& snapshot, const std::string& kind) {
  const auto text = snapshot.texts.find(kind);
  return text == snapshot.texts.end() ? nullptr : &text->second;
}

/// The parsed texts of one kind, before and after; absent where one of them is missing or malformed.
template <typename Parse>
auto parse_both(const Snapshot& before, const Snapshot& after, const std::string& kind, Parse parse)
    -> std::optional<std::pair<typename decltype(parse(""))::value_type, typename decltype(parse(""))::value_type>> {
  const std::string* const first_text = text_of(before, kind);
  const std::string* const second_text = text_of(after, kind);
  if (!first_text || !second_text) return std::nullopt;
  auto first = parse(*first_text);
  auto second = parse(*second_text);
  if (!first || !second) return std::nullopt;
  return std::pair(std::move(*first), std::move(*second));
}

/// Of counters that are the machine's long: 64 bits, or 32 that wrap. Absent where the counter was reset, and where it
/// grew by 2^45 or more.
std::optional<std::int64_t> delta_of_long(std::uint64_t before, std::uint64_t after);

/// The same of one name in two readings; absent where one has no such name.
template <typename Values>
std::optional<std::int64_t> delta_of_name(const std::pair<Values, Values>& readings, const std::string& name) {
  const auto before = readings.first.find(name), after = readings.second.find(name);
  if (before == readings.first.end() || after == readings.second.end()) return std::nullopt;
  return delta_of_long(before->second, after->second);
}

/// For difference(): both links, and what of their losses softnet has counted already.
void add_links(const Snapshot& before, const Snapshot& after, CounterDeltas& deltas);
/// For difference(): softnet, softirqs, the interface's interrupts.
void add_packet_work(const Snapshot& before, const Snapshot& after, const CpuSet& online, CounterDeltas& deltas);
/// For difference(): time, memory, heat, frequency.
void add_machine(const Snapshot& before, const Snapshot& after, CounterDeltas& deltas);

}  // namespace netsettle::runners
