// What happened between two snapshots: the protocol's counters. A number that could not be computed is absent.

#include <algorithm>
#include <map>

#include "runners/probes/link_counters.hpp"
#include "runners/probes/reading_pairs.hpp"
#include "runners/probes/udp_sockets.hpp"

namespace netsettle::runners {
namespace {

UdpDeltas udp_deltas(const Snapshot& before, const Snapshot& after, AddressFamily family, const std::string& side) {
  const bool is_ipv4 = family == AddressFamily::ipv4;
  const auto both = parse_both(before, after, (is_ipv4 ? "snmp." : "snmp6.") + side, is_ipv4 ? parse_snmp_udp : parse_snmp6_udp);
  if (!both) return {};
  return {.in = delta_of_name(*both, "InDatagrams"),
          .out = delta_of_name(*both, "OutDatagrams"),
          .no_ports = delta_of_name(*both, "NoPorts"),
          .in_errors = delta_of_name(*both, "InErrors"),
          .rcvbuf_errors = delta_of_name(*both, "RcvbufErrors"),
          .sndbuf_errors = delta_of_name(*both, "SndbufErrors"),
          .csum_errors = delta_of_name(*both, "InCsumErrors"),
          .mem_errors = delta_of_name(*both, "MemErrors")};
}

std::optional<std::int64_t> ip_discards(const Snapshot& before, const Snapshot& after, AddressFamily family) {
  const bool is_ipv4 = family == AddressFamily::ipv4;
  const auto both = parse_both(before, after, is_ipv4 ? "snmp.server" : "snmp6.server", is_ipv4 ? parse_snmp_ip : parse_snmp6_ip);
  return both ? delta_of_name(*both, "InDiscards") : std::nullopt;
}

using Drops = std::map<std::uint64_t, std::uint64_t>;  // by inode

Drops drops_of_port(const std::vector<UdpSocket>& sockets, int port) {
  Drops drops;
  for (const UdpSocket& socket : sockets)
    if (socket.local_port == port) drops.emplace(socket.inode, socket.drops);
  return drops;
}

/// A socket that was opened meanwhile began at 0; what one dropped that was closed meanwhile is not known.
std::optional<std::int64_t> drops_between(const Drops& before, const Drops& after) {
  std::int64_t sum = 0;
  if (!std::ranges::all_of(before, [&](const auto& socket) { return after.contains(socket.first); })) return std::nullopt;
  for (const auto& [inode, drops] : after) {
    const auto earlier = before.find(inode);
    const auto delta = delta_of_long(earlier == before.end() ? 0 : earlier->second, drops);
    if (!delta) return std::nullopt;
    sum += *delta;
  }
  return sum;
}

/// Of both families' tables: a socket of ::, port 53, takes IPv4 too. Absent where the port has no socket at the end.
std::optional<std::int64_t> socket_drops(const Snapshot& before, const Snapshot& after, int port) {
  Drops first, second;
  for (const char* kind : {"udp.server", "udp6.server"})
    if (const auto both = parse_both(before, after, kind, parse_udp_sockets)) {
      first.merge(drops_of_port(both->first, port));
      second.merge(drops_of_port(both->second, port));
    }
  return second.empty() ? std::nullopt : drops_between(first, second);
}

/// Of both sides; where they are one, the client's is not in the snapshots.
std::optional<std::int64_t> conntrack_drops(const Snapshot& before, const Snapshot& after) {
  std::optional<std::int64_t> sum;
  for (const char* kind : {"conntrack.server", "conntrack.client"}) {
    const auto both = parse_both(before, after, kind, parse_conntrack);
    const auto delta = both ? delta_of_name(*both, "drop") : std::nullopt;
    if (delta) sum = sum.value_or(0) + *delta;
  }
  return sum;
}

}  // namespace

std::optional<std::int64_t> delta32(std::uint32_t before, std::uint32_t after) {
  constexpr std::uint32_t kPlausible = 1u << 31;  // more than half of the range looks like a counter that went back
  const std::uint32_t delta = after - before;     // modulo 2^32
  return delta < kPlausible ? std::optional<std::int64_t>(delta) : std::nullopt;
}

std::optional<std::int64_t> delta_of_long(std::uint64_t before, std::uint64_t after) {
  constexpr std::uint64_t kPlausible = std::uint64_t{1} << 45;  // packets of four days at 100 million a second
  if (after >= before) return after - before < kPlausible ? std::optional(static_cast<std::int64_t>(after - before)) : std::nullopt;
  if (before > UINT32_MAX) return std::nullopt;
  return delta32(static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(after));
}

CounterDeltas difference(const Snapshot& before, const Snapshot& after, AddressFamily family, const CpuSet& online,
                         std::optional<int> port) {
  CounterDeltas deltas;
  deltas.server = udp_deltas(before, after, family, "server");
  deltas.client = udp_deltas(before, after, family, "client");
  if (port) deltas.socket_drops = socket_drops(before, after, *port);
  deltas.ip_discards = ip_discards(before, after, family);
  deltas.conntrack_drops = conntrack_drops(before, after);
  add_packet_work(before, after, online, deltas);
  add_links(before, after, deltas);
  add_machine(before, after, deltas);
  return deltas;
}

}  // namespace netsettle::runners
