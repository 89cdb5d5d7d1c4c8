// Any text as any of the kernel's counter files, as both readings of a difference.

#include "runners/probes/counters.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::fuzz::require;
using namespace netsettle::runners;

namespace {

bool is_share(const std::optional<double>& percent) { return !percent || (*percent >= 0 && *percent <= 100); }

void check_difference(const Snapshot& before, const Snapshot& after) {
  for (const auto family : {netsettle::AddressFamily::ipv4, netsettle::AddressFamily::ipv6}) {
    const netsettle::CounterDeltas deltas = difference(before, after, family, {0, 1, 5});
    require(is_share(deltas.idle_percent) && is_share(deltas.softirq_percent) && is_share(deltas.steal_percent));
    require(deltas.backlog_drops.has_value() == !deltas.processed_by_cpu.empty());
    for (const auto& [cpu, processed] : deltas.processed_by_cpu) require(processed >= 0);
  }
}

Snapshot as_all_kinds(std::string_view text) {
  Snapshot snapshot;
  for (const char* kind : {"softnet", "snmp.server", "snmp.client", "snmp6.server", "snmp6.client", "stat", "meminfo"})
    snapshot.texts[kind] = text;
  return snapshot;
}

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  const std::string_view text = netsettle::fuzz::as_text(input);
  if (const auto rows = parse_softnet(text, {0, 1, 5})) require(!rows->empty());
  if (const auto times = parse_stat(text)) require(times->contains(-1));
  const std::string_view first_half = text.substr(0, text.size() / 2);
  check_difference(as_all_kinds(text), as_all_kinds(text));
  check_difference(as_all_kinds(first_half), as_all_kinds(text.substr(text.size() / 2)));
}
