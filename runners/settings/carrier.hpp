#pragma once
// What carries a setting's text: a file, or a value of a network card that only the program ethtool reads and writes. Written
// "ethtool -k eth0 gro" where a file has its path, so that one undo journal serves both.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/host.hpp"

namespace netsettle::runners {

/// The names of `nic.features.*` ("gro") and of `nic.coalesce.*` ("rx-usecs") that ethtool prints and takes.
const std::vector<std::string>& nic_features();
const std::vector<std::string>& nic_coalescing();

/// "ethtool -k INTERFACE NAME", "ethtool -c INTERFACE NAME".
std::string feature_carrier(const std::string& interface, const std::string& name);
std::string coalescing_carrier(const std::string& interface, const std::string& name);
/// "ethtool -l INTERFACE NAME" of channels (combined, rx, tx), "ethtool -g INTERFACE NAME" of rings (rx, tx).
std::string channel_carrier(const std::string& interface, const std::string& name);
std::string ring_carrier(const std::string& interface, const std::string& name);
/// "ethtool -x INTERFACE table", in words as of nic_text.hpp, and "ethtool -n INTERFACE udp4" (or udp6), in letters.
std::string table_carrier(const std::string& interface);
std::string hash_carrier(const std::string& interface, const std::string& flow);
bool is_ethtool(std::string_view carrier);
bool is_channels(std::string_view carrier);
bool is_table(std::string_view carrier);
/// Channels and rings: the card starts its queues anew, and what was said of each queue is lost.
bool resets_queues(std::string_view carrier);
/// The most that the card takes of channels or of a ring; of the table, how many queues it may name. nullopt where it does not say.
std::optional<std::int64_t> largest_of(Host& host, const std::string& carrier);
/// The interface of an ethtool carrier.
std::string interface_of(std::string_view carrier);

/// The present text: of a file that lists all its words (sched/preempt) the one in force, of a feature and of adaptive-rx "on" or "off",
/// of a table its words, of hash fields their letters, else a number. `unsupported` where the card has no such value or it is fixed;
/// not_found where the program, the interface or the file is missing.
Expected<std::string> read_carrier(Host& host, const std::string& carrier);
/// Errors with the errno that the kernel gave, as far as ethtool tells it.
Expected<void> write_carrier(Host& host, const std::string& carrier, std::string_view text);
/// Whether write_carrier may be tried. Of ethtool nothing is known beforehand.
Expected<void> check_carrier(Host& host, const std::string& carrier);

}  // namespace netsettle::runners
