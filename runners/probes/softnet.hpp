#pragma once
// /proc/net/softnet_stat: what the kernel's packet processing did on each CPU. One for all network namespaces. Counters have 32 bits.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"

namespace netsettle::runners {

struct SoftnetRow {
  int cpu = 0;
  std::uint32_t processed = 0;     // packets, once more for each further receive handler (VLAN, bridge), once for a GRO packet
  std::uint32_t dropped = 0;       // the CPU's backlog queue was full, or a flow was limited
  std::uint32_t time_squeeze = 0;  // rounds that ended with work left
  std::uint32_t cpu_collision = 0;
  std::optional<std::uint32_t> received_rps;  // interrupts from other CPUs to steer packets, not packets
  std::optional<std::uint32_t> flow_limit;
  std::optional<std::uint32_t> backlog_length, input_length, process_length;  // packets that wait now: no counters
  std::size_t columns = 0;                                                    // of the file
};

/// 9, 10, 11, 13 or 15 (or more) hex columns; below 13 the CPU is the n-th of `online`. invalid_input, the text begins with "line N: ".
Expected<std::vector<SoftnetRow>> parse_softnet(std::string_view text, const CpuSet& online);

}  // namespace netsettle::runners
