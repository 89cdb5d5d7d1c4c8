#pragma once
// `netsettle parse softnet|snmp|interrupts|stat|udp`: the kernel's counter files that a person has, as values, and what changed between two
// readings. Tells nothing about the machine it runs on.

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "datasets/model/error.hpp"

namespace netsettle::tuner {

/// Whether `kind` is one of softnet, snmp, interrupts, stat, udp.
bool is_counter_kind(std::string_view kind);

/// `tree` is a folder with proc/… and sys/… below, read later than `before_tree` where there is one. The fields are described in
/// docs/commands.md. A text that cannot be read right is no error: the result has `malformed`: true, `why`, and where it is known
/// `good_lines`. Errors: not_found where the tree lacks the file, invalid_input for another kind.
Expected<nlohmann::ordered_json> parsed_counters(std::string_view kind, const std::optional<std::string>& before_tree,
                                                 const std::string& tree);

}  // namespace netsettle::tuner
