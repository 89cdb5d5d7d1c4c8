// What happened on the two links between two snapshots.

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
          .rx_bytes = delta_of_name(*readings, "rx_bytes"),
          .tx_bytes = delta_of_name(*readings, "tx_bytes"),
          .carrier_changes = delta_of_name(*readings, "carrier_changes"),
          .rx_dropped = delta_of_name(*readings, "rx_dropped"),
          .rx_missed = sum_of(*readings, {"rx_missed_errors", "rx_fifo_errors", "rx_over_errors"}),
          .tx_dropped = delta_of_name(*readings, "tx_dropped")};
}

}  // namespace

void add_links(const Snapshot& before, const Snapshot& after, CounterDeltas& deltas) {
  const Readings server = parse_both(before, after, "link.server", parse_named_values);
  const Readings client = parse_both(before, after, "link.client", parse_named_values);
  deltas.server_link = link_deltas(server);
  deltas.client_link = link_deltas(client);
  deltas.server_link.qdisc_drops = qdisc_drops(before, after, "server");
  deltas.client_link.qdisc_drops = qdisc_drops(before, after, "client");
}

}  // namespace netsettle::runners
