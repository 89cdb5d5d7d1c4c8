// What happened on the two links between two snapshots.

#include <algorithm>
#include <map>

#include "runners/probes/link_counters.hpp"
#include "runners/probes/reading_pairs.hpp"

namespace netsettle::runners {
namespace {

using Values = std::map<std::string, std::uint64_t>;
using Readings = std::optional<std::pair<Values, Values>>;

/// The sum of what there is of several counters; absent where there is none.
std::optional<std::int64_t> sum_of(const std::pair<Values, Values>& readings, std::initializer_list<const char*> names) {
  std::optional<std::int64_t> sum;
  for (const char* name : names)
    if (const auto delta = delta_of_name(readings, name)) sum = sum.value_or(0) + *delta;
  return sum;
}

std::optional<std::int64_t> qdisc_drops(const Snapshot& before, const Snapshot& after, const std::string& side) {
  const auto both = parse_both(before, after, "qdisc." + side, parse_qdisc_drops);
  if (!both || both->first.size() != 1 || both->second.size() != 1) return std::nullopt;
  return delta_of_long(both->first.begin()->second, both->second.begin()->second);
}

LinkDeltas link_deltas(const Readings& readings) {
  if (!readings) return {};
  return {.rx_packets = delta_of_name(*readings, "rx_packets"),
          .tx_packets = delta_of_name(*readings, "tx_packets"),
          .rx_dropped = delta_of_name(*readings, "rx_dropped"),
          .rx_missed = sum_of(*readings, {"rx_missed_errors", "rx_fifo_errors", "rx_over_errors"}),
          .tx_dropped = delta_of_name(*readings, "tx_dropped")};
}

std::optional<std::uint64_t> value_of(const Readings& readings, const char* name) {
  if (!readings) return std::nullopt;
  const auto value = readings->second.find(name);
  return value == readings->second.end() ? std::nullopt : std::optional(value->second);
}

/// The two ends of one pair of virtual interfaces: each names the other as its link.
bool are_one_pair(const Readings& server, const Readings& client) {
  const auto server_index = value_of(server, "ifindex"), client_index = value_of(client, "ifindex");
  return server_index && client_index && server_index != client_index && value_of(server, "iflink") == client_index &&
         value_of(client, "iflink") == server_index;
}

/// Takes from `count` as much of `known` as there is, and returns how much that was.
std::int64_t take_known(std::optional<std::int64_t>& count, std::int64_t known) {
  const std::int64_t taken = std::min(count.value_or(0), known);
  if (count) *count -= taken;
  return taken;
}

/// A packet that finds the backlog full is counted by softnet, by the receiving device and, on a pair of virtual interfaces, by the
/// sending one too. Which device softnet means is not known: the server's comes first.
void leave_out_backlog(CounterDeltas& deltas, bool one_pair, bool one_interface) {
  const std::int64_t backlog = deltas.backlog_drops.value_or(0);
  const std::int64_t at_server = take_known(deltas.server_link.rx_dropped, backlog);
  if (one_interface) {
    deltas.client_link.rx_dropped = deltas.server_link.rx_dropped;
    return;
  }
  const std::int64_t at_client = take_known(deltas.client_link.rx_dropped, backlog - at_server);
  if (!one_pair) return;
  take_known(deltas.client_link.tx_dropped, at_server);
  take_known(deltas.server_link.tx_dropped, at_client);
}

}  // namespace

void add_links(const Snapshot& before, const Snapshot& after, CounterDeltas& deltas) {
  const Readings server = parse_both(before, after, "link.server", parse_named_values);
  const Readings client = parse_both(before, after, "link.client", parse_named_values);
  deltas.server_link = link_deltas(server);
  deltas.client_link = link_deltas(client);
  deltas.server_link.qdisc_drops = qdisc_drops(before, after, "server");
  deltas.client_link.qdisc_drops = qdisc_drops(before, after, "client");
  const bool one_interface = server && client && server->second == client->second;
  leave_out_backlog(deltas, are_one_pair(server, client), one_interface);
}

}  // namespace netsettle::runners
