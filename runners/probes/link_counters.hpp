#pragma once
// What network interfaces, their queueing disciplines and connection tracking lost.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

/// Packets that the root queueing discipline of each interface dropped, all its classes included: `tc -s -j qdisc show`. An interface
/// without a root entry is not there. 32 bits. invalid_input.
Expected<std::map<std::string, std::uint64_t>> parse_qdisc_drops(std::string_view json);

/// Sums over all CPUs of /proc/net/stat/nf_conntrack, by the names of its first line. invalid_input, "line N: ".
Expected<std::map<std::string, std::uint64_t>> parse_conntrack(std::string_view text);

}  // namespace netsettle::runners
