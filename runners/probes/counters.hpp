#pragma once
// Snapshots of the kernel's counters before and after the load, and what happened between them. A snapshot keeps the raw texts; they are
// parsed by the parsers of this folder when the difference is asked for.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"
#include "runners/hosts/host.hpp"
#include "runners/probes/cpu_counters.hpp"
#include "runners/probes/process_use.hpp"
#include "runners/probes/snmp.hpp"
#include "runners/probes/softnet.hpp"

namespace netsettle::runners {

/// Modular difference of 32-bit counters; nullopt where it is not plausible: 2^31 or more, a counter that was reset.
std::optional<std::int64_t> delta32(std::uint32_t before, std::uint32_t after);

/// Raw texts of all sources at one moment, by kind. Of the machine: "softnet", "stat", "interrupts", "softirqs", "meminfo",
/// "pressure.memory", "throttle", "cpufreq". Of the server's side: "snmp.server", "snmp6.server", "udp.server", "udp6.server",
/// "link.server", "qdisc.server", "conntrack.server", "vectors.server"; of the client's side the same with ".client", without udp and
/// vectors.
struct Snapshot {
  std::map<std::string, std::string> texts;
  Microseconds at{0};  // monotonic, when the reading began
};

/// Where a snapshot is taken. `client` may be the same object as `server`, and both the same as `host`.
struct Places {
  Host& host;  // the machine, for what its namespaces share
  Host& server;
  Host& client;
  std::string server_interface = {}, client_interface = {};  // "": no counters of links
  std::vector<int> queue_irqs = {};                          // of the server's interface, on `host`
};

/// What does not exist is absent. Reads files, and runs `tc` once for each interface.
Snapshot take_snapshot(const Places& places);

/// What could not be computed is absent. `port` is the server's: its sockets' drops are counted. idle_percent has the time of waiting for
/// disks in it; memory_available_percent is the lower of the two readings. Links have what they count: a packet that finds the backlog full
/// is in backlog_drops, in the receiving link's rx_dropped and, on a veth pair, in the sending one's tx_dropped.
CounterDeltas difference(const Snapshot& before, const Snapshot& after, AddressFamily family, const CpuSet& online,
                         std::optional<int> port = std::nullopt);

}  // namespace netsettle::runners
