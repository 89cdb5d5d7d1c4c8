#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/probes/counters.hpp"
#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

void read_into(Snapshot& snapshot, Host& host, const std::string& kind, const std::string& path) {
  if (auto text = host.read_file(path)) snapshot.texts[kind] = std::move(*text);
}

void copy_within(Snapshot& snapshot, const std::string& from, const std::string& to) {
  if (const auto text = snapshot.texts.find(from); text != snapshot.texts.end()) snapshot.texts[to] = text->second;
}

/// "name value" of a small file with one number; nothing where there is none.
std::string value_line(Host& host, std::string_view name, const std::string& path) {
  const auto text = host.read_file(path);
  const auto lines = text ? split_lines(*text) : std::vector<std::string_view>();
  const auto value = lines.size() == 1 ? whole_number<std::uint64_t>(trimmed(lines.front())) : std::nullopt;
  return value ? fmt::format("{} {}\n", name, *value) : std::string();
}

/// The statistics of an interface that losses are read from, and which one it is.
std::string link_text(Host& host, const std::string& interface) {
  const std::string folder = "/sys/class/net/" + interface + "/";
  std::string text;
  for (const char* name : {"ifindex", "iflink", "carrier_changes"}) text += value_line(host, name, folder + name);
  for (const char* name : {"rx_packets", "rx_bytes", "rx_dropped", "rx_errors", "rx_missed_errors", "rx_fifo_errors", "rx_over_errors",
                           "rx_nohandler", "tx_packets", "tx_bytes", "tx_dropped", "tx_errors"})
    text += value_line(host, name, folder + "statistics/" + name);
  return text;
}

void read_link(Snapshot& snapshot, Host& host, const std::string& interface, const std::string& side) {
  if (interface.empty()) return;
  if (auto text = link_text(host, interface); !text.empty()) snapshot.texts["link." + side] = std::move(text);
  auto qdisc = run_checked(host, {"tc", "-s", "-j", "qdisc", "show", "dev", interface}, std::chrono::seconds(2));
  if (qdisc) snapshot.texts["qdisc." + side] = std::move(*qdisc);
}

/// The UDP counters of client and server are one reading where they are one host, or they would differ.
void read_sides(Snapshot& snapshot, const Places& places) {
  read_into(snapshot, places.server, "snmp.server", "/proc/net/snmp");
  read_into(snapshot, places.server, "snmp6.server", "/proc/net/snmp6");
  read_into(snapshot, places.server, "udp.server", "/proc/net/udp");
  read_into(snapshot, places.server, "udp6.server", "/proc/net/udp6");
  read_into(snapshot, places.server, "conntrack.server", "/proc/net/stat/nf_conntrack");
  if (&places.client == &places.server) {
    copy_within(snapshot, "snmp.server", "snmp.client");
    copy_within(snapshot, "snmp6.server", "snmp6.client");
    return;
  }
  read_into(snapshot, places.client, "snmp.client", "/proc/net/snmp");
  read_into(snapshot, places.client, "snmp6.client", "/proc/net/snmp6");
  read_into(snapshot, places.client, "conntrack.client", "/proc/net/stat/nf_conntrack");
}

void read_links(Snapshot& snapshot, const Places& places) {
  read_link(snapshot, places.server, places.server_interface, "server");
  if (&places.client != &places.server || places.client_interface != places.server_interface) {
    read_link(snapshot, places.client, places.client_interface, "client");
    return;
  }
  copy_within(snapshot, "link.server", "link.client");
  copy_within(snapshot, "qdisc.server", "qdisc.client");
}

std::vector<std::string> cpu_names(Host& host) {
  std::vector<std::string> cpus;
  const auto names = host.list_directory("/sys/devices/system/cpu");
  for (const std::string& name : names.value_or(std::vector<std::string>()))
    if (name.starts_with("cpu") && whole_number<int>(std::string_view(name).substr(3))) cpus.push_back(name);
  return cpus;
}

/// Frequency and heat of each CPU. The first CPU tells whether the machine has them at all.
void read_cpus(Snapshot& snapshot, Host& host) {
  std::string throttle, frequency;
  for (const std::string& cpu : cpu_names(host)) {
    const std::string folder = "/sys/devices/system/cpu/" + cpu + "/";
    throttle += value_line(host, cpu + ".core", folder + "thermal_throttle/core_throttle_count");
    throttle += value_line(host, cpu + ".package", folder + "thermal_throttle/package_throttle_count");
    frequency += value_line(host, cpu, folder + "cpufreq/scaling_cur_freq");
    if (throttle.empty() && frequency.empty()) return;
  }
  if (!throttle.empty()) snapshot.texts["throttle"] = std::move(throttle);
  if (!frequency.empty()) snapshot.texts["cpufreq"] = std::move(frequency);
}

void read_vectors(Snapshot& snapshot, const Places& places) {
  if (!places.queue_irqs.empty()) snapshot.texts["vectors.server"] = fmt::format("{}\n", fmt::join(places.queue_irqs, " "));
}

}  // namespace

Snapshot take_snapshot(const Places& places) {
  Snapshot snapshot;
  snapshot.at = places.host.clock().monotonic();
  read_sides(snapshot, places);
  read_into(snapshot, places.host, "softnet", "/proc/net/softnet_stat");
  read_into(snapshot, places.host, "softirqs", "/proc/softirqs");
  read_into(snapshot, places.host, "interrupts", "/proc/interrupts");
  read_links(snapshot, places);
  read_vectors(snapshot, places);
  read_into(snapshot, places.host, "stat", "/proc/stat");
  read_into(snapshot, places.host, "meminfo", "/proc/meminfo");
  read_into(snapshot, places.host, "pressure.memory", "/proc/pressure/memory");
  read_cpus(snapshot, places.host);
  return snapshot;
}

}  // namespace netsettle::runners
