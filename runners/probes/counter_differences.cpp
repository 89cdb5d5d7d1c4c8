// What happened between two snapshots. A number that could not be computed is absent.

#include <algorithm>

#include "runners/probes/counters.hpp"

namespace netsettle::runners {
namespace {

using UdpCounters = std::map<std::string, std::uint64_t>;
using Deltas = std::map<std::string, std::int64_t>;

const std::string* text_of(const Snapshot& snapshot, const std::string& kind) {
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

/// The counters of snmp are the machine's long: 64 bits, or 32 that wrap.
std::optional<std::int64_t> delta_of_long(std::uint64_t before, std::uint64_t after) {
  if (after >= before) return after - before <= INT64_MAX ? std::optional(static_cast<std::int64_t>(after - before)) : std::nullopt;
  if (before > UINT32_MAX) return std::nullopt;
  return delta32(static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(after));
}

Deltas udp_deltas(const Snapshot& before, const Snapshot& after, AddressFamily family, const std::string& side) {
  const bool is_ipv4 = family == AddressFamily::ipv4;
  const auto both = parse_both(before, after, (is_ipv4 ? "snmp." : "snmp6.") + side, is_ipv4 ? parse_snmp_udp : parse_snmp6_udp);
  Deltas deltas;
  if (!both) return deltas;
  for (const auto& [name, count] : both->first) {
    const auto later = both->second.find(name);
    if (later == both->second.end()) continue;
    if (const auto delta = delta_of_long(count, later->second)) deltas.emplace(name, *delta);
  }
  return deltas;
}

std::optional<std::int64_t> find(const Deltas& deltas, const char* name) {
  const auto delta = deltas.find(name);
  return delta == deltas.end() ? std::nullopt : std::optional(delta->second);
}

UdpDeltas side_of(const Deltas& udp) {
  return {.in = find(udp, "InDatagrams"),
          .out = find(udp, "OutDatagrams"),
          .no_ports = find(udp, "NoPorts"),
          .in_errors = find(udp, "InErrors"),
          .rcvbuf_errors = find(udp, "RcvbufErrors"),
          .sndbuf_errors = find(udp, "SndbufErrors"),
          .csum_errors = find(udp, "InCsumErrors"),
          .mem_errors = find(udp, "MemErrors")};
}

/// CPUs that are in one reading only came or went meanwhile: they have no difference. Where any counter of a CPU went back, the machine
/// was restarted between the readings, and no difference of any CPU means anything.
void add_softnet(const std::vector<SoftnetRow>& before, const std::vector<SoftnetRow>& after, CounterDeltas& deltas) {
  std::int64_t dropped_total = 0, squeezed_total = 0;
  std::map<int, std::int64_t> processed_by_cpu;
  for (const SoftnetRow& row : before) {
    const auto later = std::ranges::find(after, row.cpu, &SoftnetRow::cpu);
    if (later == after.end()) continue;
    const auto processed = delta32(row.processed, later->processed);
    const auto dropped = delta32(row.dropped, later->dropped);
    const auto squeezed = delta32(row.time_squeeze, later->time_squeeze);
    if (!processed || !dropped || !squeezed) return;
    processed_by_cpu.emplace(row.cpu, *processed);
    dropped_total += *dropped;
    squeezed_total += *squeezed;
  }
  if (processed_by_cpu.empty()) return;
  deltas.processed_by_cpu = std::move(processed_by_cpu);
  deltas.backlog_drops = dropped_total;
  deltas.time_squeeze = squeezed_total;
}

double grown(std::uint64_t before, std::uint64_t after) { return after > before ? static_cast<double>(after - before) : 0; }

bool went_back(const CpuTimes& before, const CpuTimes& after) {
  return after.user < before.user || after.nice < before.nice || after.system < before.system || after.irq < before.irq ||
         after.softirq < before.softirq || after.steal < before.steal;
}

/// Of the sum over all CPUs. Guest time is within user time already. Idle and iowait may go back a little (proc(5)), which counts as 0.
void add_cpu_times(const CpuTimes& before, const CpuTimes& after, CounterDeltas& deltas) {
  if (went_back(before, after)) return;
  const double idle = grown(before.idle, after.idle) + grown(before.iowait, after.iowait);
  const double softirq = grown(before.softirq, after.softirq);
  const double steal = grown(before.steal.value_or(0), after.steal.value_or(0));
  const double total = grown(before.user, after.user) + grown(before.nice, after.nice) + grown(before.system, after.system) +
                       grown(before.irq, after.irq) + softirq + steal + idle;
  if (total <= 0) return;
  deltas.idle_percent = 100 * (idle / total);
  deltas.softirq_percent = 100 * (softirq / total);
  if (before.steal && after.steal) deltas.steal_percent = 100 * (steal / total);
}

}  // namespace

std::optional<std::int64_t> delta32(std::uint32_t before, std::uint32_t after) {
  constexpr std::uint32_t kPlausible = 1u << 31;  // more than half of the range looks like a counter that went back
  const std::uint32_t delta = after - before;     // modulo 2^32
  return delta < kPlausible ? std::optional<std::int64_t>(delta) : std::nullopt;
}

CounterDeltas difference(const Snapshot& before, const Snapshot& after, AddressFamily family, const CpuSet& online) {
  CounterDeltas deltas;
  deltas.server = side_of(udp_deltas(before, after, family, "server"));
  deltas.client = side_of(udp_deltas(before, after, family, "client"));
  const auto softnet = parse_both(before, after, "softnet", [&](std::string_view text) { return parse_softnet(text, online); });
  if (softnet) add_softnet(softnet->first, softnet->second, deltas);
  if (const auto stat = parse_both(before, after, "stat", parse_stat)) add_cpu_times(stat->first.at(-1), stat->second.at(-1), deltas);
  if (const auto memory = parse_both(before, after, "meminfo", parse_memory_available))
    deltas.memory_available_percent = std::min(memory->first, memory->second);
  return deltas;
}

}  // namespace netsettle::runners
