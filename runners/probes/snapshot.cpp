#include "runners/probes/counters.hpp"

namespace netsettle::runners {
namespace {

void read_into(Snapshot& snapshot, Host& host, const std::string& kind, const std::string& path) {
  if (auto text = host.read_file(path)) snapshot.texts[kind] = std::move(*text);
}

void copy_within(Snapshot& snapshot, const std::string& from, const std::string& to) {
  if (const auto text = snapshot.texts.find(from); text != snapshot.texts.end()) snapshot.texts[to] = text->second;
}

}  // namespace

Snapshot take_snapshot(Host& host, Host& server, Host& client) {
  Snapshot snapshot;
  read_into(snapshot, server, "snmp.server", "/proc/net/snmp");
  read_into(snapshot, server, "snmp6.server", "/proc/net/snmp6");
  if (&client == &server) {  // one reading for both, or their counters would differ
    copy_within(snapshot, "snmp.server", "snmp.client");
    copy_within(snapshot, "snmp6.server", "snmp6.client");
  } else {
    read_into(snapshot, client, "snmp.client", "/proc/net/snmp");
    read_into(snapshot, client, "snmp6.client", "/proc/net/snmp6");
  }
  read_into(snapshot, host, "softnet", "/proc/net/softnet_stat");
  read_into(snapshot, host, "stat", "/proc/stat");
  read_into(snapshot, host, "meminfo", "/proc/meminfo");
  return snapshot;
}

}  // namespace netsettle::runners
