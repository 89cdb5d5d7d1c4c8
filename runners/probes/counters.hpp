#pragma once
// Kernel counters: parsers of their texts, snapshots before and after, and the differences. Parsers are pure; 32-bit counters wrap.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

struct SoftnetRow {
  int cpu = 0;
  std::uint32_t processed = 0, dropped = 0, time_squeeze = 0;
  std::optional<std::uint32_t> received_rps, flow_limit, backlog_length;
};
/// 9, 10, 11, 13 or 15 (or more) hex columns; below 13 the CPU is the n-th of `online`. invalid_input names the line.
Expected<std::vector<SoftnetRow>> parse_softnet(std::string_view text, const CpuSet& online);

/// "Udp" rows of /proc/net/snmp by name. invalid_input.
Expected<std::map<std::string, std::uint64_t>> parse_snmp_udp(std::string_view text);
/// Udp6* rows of /proc/net/snmp6, with the names of the IPv4 ones ("InDatagrams").
Expected<std::map<std::string, std::uint64_t>> parse_snmp6_udp(std::string_view text);

struct CpuTimes {  // USER_HZ ticks
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0;
  std::optional<std::uint64_t> steal;  // absent: the kernel does not count it
};
/// Key -1 is the sum line. invalid_input.
Expected<std::map<int, CpuTimes>> parse_stat(std::string_view text);
/// MemAvailable / MemTotal of /proc/meminfo, percent.
Expected<double> parse_memory_available(std::string_view text);

/// Modular difference of 32-bit counters; nullopt where it is not plausible: 2^31 or more, a counter that was reset.
std::optional<std::int64_t> delta32(std::uint32_t before, std::uint32_t after);

/// Raw texts of all sources at one moment, by kind: "softnet", "snmp.server", "snmp.client", "snmp6.…", "stat", "meminfo".
struct Snapshot {
  std::map<std::string, std::string> texts;
};
/// What does not exist is absent. `client` may be the same object as `server`.
Snapshot take_snapshot(Host& host, Host& server, Host& client);
/// What could not be computed is absent. idle_percent has the time of waiting for disks in it; memory_available_percent is the lower of
/// the two readings.
CounterDeltas difference(const Snapshot& before, const Snapshot& after, AddressFamily family, const CpuSet& online);

}  // namespace netsettle::runners
