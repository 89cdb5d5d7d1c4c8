// Any text as any of the kernel's counter files, as both readings of a difference.

#include "runners/probes/counters.hpp"
#include "runners/probes/interrupts.hpp"
#include "runners/probes/link_counters.hpp"
#include "runners/probes/text_lines.hpp"
#include "runners/probes/udp_sockets.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::fuzz::require;
using namespace netsettle::runners;

namespace {

bool is_share(const std::optional<double>& percent) { return !percent || (*percent >= 0 && *percent <= 100); }

bool is_count(const std::optional<std::int64_t>& count) { return !count || *count >= 0; }

void check_counts(const std::map<int, std::int64_t>& counts) {
  for (const auto& [cpu, count] : counts) require(count >= 0);
}

void check_link(const netsettle::LinkDeltas& link) {
  require(is_count(link.rx_packets) && is_count(link.tx_packets) && is_count(link.rx_dropped) && is_count(link.rx_missed));
  require(is_count(link.tx_dropped) && is_count(link.qdisc_drops));
}

void check_difference(const Snapshot& before, const Snapshot& after) {
  for (const auto family : {netsettle::AddressFamily::ipv4, netsettle::AddressFamily::ipv6}) {
    const netsettle::CounterDeltas deltas = difference(before, after, family, {0, 1, 5}, 53);
    require(is_share(deltas.idle_percent) && is_share(deltas.softirq_percent) && is_share(deltas.steal_percent));
    require(is_share(deltas.memory_stall_percent));
    require(deltas.backlog_drops.has_value() == !deltas.processed_by_cpu.empty());
    require(is_count(deltas.socket_drops) && is_count(deltas.conntrack_drops) && is_count(deltas.ip_discards) &&
            is_count(deltas.throttles));
    check_counts(deltas.processed_by_cpu);
    check_counts(deltas.net_rx_by_cpu);
    for (const auto& [name, counts] : deltas.queue_interrupts) check_counts(counts);
    for (const auto& [cpu, idle] : deltas.idle_by_cpu) require(is_share(idle));
    check_link(deltas.server_link);
    check_link(deltas.client_link);
  }
}

Snapshot as_all_kinds(std::string_view text) {
  Snapshot snapshot;
  for (const char* kind : {"softnet",      "stat",         "meminfo",          "interrupts",       "softirqs",     "pressure.memory",
                           "throttle",     "cpufreq",      "snmp.server",      "snmp.client",      "snmp6.server", "snmp6.client",
                           "udp.server",   "udp6.server",  "conntrack.server", "conntrack.client", "link.server",  "link.client",
                           "qdisc.server", "qdisc.client", "vectors.server"})
    snapshot.texts[kind] = text;
  return snapshot;
}

void check_interrupts(std::string_view text) {
  if (const auto interrupts = parse_interrupts(text)) {
    require(!interrupts->cpus.empty());
    for (const auto& [number, row] : interrupts->irqs) require(row.counts.size() == interrupts->cpus.size());
    for (const auto& [name, counts] : interrupts->named) require(counts.size() <= interrupts->cpus.size());
  }
  if (const auto softirqs = parse_softirqs(text))
    for (const auto& [name, counts] : softirqs->counts) require(counts.size() == softirqs->cpus.size());
}

void check_sockets(std::string_view text) {
  if (const auto sockets = parse_udp_sockets(text))
    for (const UdpSocket& socket : *sockets) require(socket.local.ends_with(':' + std::to_string(socket.local_port)));
  if (const auto buffers = parse_socket_buffers(text))
    for (const SocketBuffers& buffer : *buffers) require(buffer.port >= 0 && buffer.port <= 65535);
}

/// The line that an error names is one of the text, or the one after it.
template <typename Result>
void check_line(const Result& result, std::string_view text) {
  if (result) return;
  if (const auto line = line_of(result.error())) require(*line >= 1 && *line <= split_lines(text).size() + 1);
}

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  const std::string_view text = netsettle::fuzz::as_text(input);
  if (const auto rows = parse_softnet(text, {0, 1, 5})) require(!rows->empty());
  if (const auto times = parse_stat(text)) require(times->contains(-1));
  check_line(parse_softnet(text, {0, 1, 5}), text);
  check_line(parse_stat(text), text);
  check_line(parse_interrupts(text), text);
  check_line(parse_udp_sockets(text), text);
  check_interrupts(text);
  check_sockets(text);
  const std::string_view first_half = text.substr(0, text.size() / 2);
  Snapshot later = as_all_kinds(text.substr(text.size() / 2));
  later.at = std::chrono::seconds(1);
  check_difference(as_all_kinds(text), as_all_kinds(text));
  check_difference(as_all_kinds(first_half), later);
}
