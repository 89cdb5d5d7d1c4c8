// Network interfaces that have a device, packet filters, queueing disciplines.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

constexpr std::size_t kMostInterfaces = 8;

std::string queues_text(const std::vector<std::string>& names) {
  const auto receive = std::ranges::count_if(names, [](const std::string& name) { return name.starts_with("rx-"); });
  const auto transmit = std::ranges::count_if(names, [](const std::string& name) { return name.starts_with("tx-"); });
  return names.empty() ? "" : fmt::format("{} receive, {} transmit", receive, transmit);
}

/// "38 on 1, 39 on 0": the CPUs on which the device's interrupts arrive.
std::string interrupts_text(FactReader& reader, const std::string& device) {
  std::vector<std::string> parts;
  for (const char* folder : {"msi_irqs", "../msi_irqs"}) {
    for (const std::string& irq : reader.names_in(device + folder)) {
      const std::string own = "/proc/irq/" + irq + "/";
      auto cpus = reader.line(own + "effective_affinity_list");
      if (!cpus || cpus->empty()) cpus = reader.line(own + "smp_affinity_list");
      if (cpus) parts.push_back(fmt::format("{} on {}", irq, *cpus));
    }
    if (!parts.empty()) break;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What `ethtool` tells, where it is installed: driver and firmware as words, the long rest as hashes.
void add_ethtool(FactReader& reader, const std::string& prefix, const std::string& interface) {
  const auto driver = reader.output({"ethtool", "-i", interface});
  if (!driver) return;
  reader.note(prefix + "driver_version", field_of(*driver, "version").value_or(""));
  reader.note(prefix + "firmware", field_of(*driver, "firmware-version").value_or(""));
  const std::pair<const char*, const char*> parts[] = {
      {"-k", "features"}, {"-g", "rings"}, {"-c", "coalescing"}, {"-x", "indirection"}, {"-a", "pause"}};
  for (const auto& [option, name] : parts)
    if (const auto text = reader.output({"ethtool", option, interface})) reader.note_hash(prefix + name + "_sha256", *text);
}

void add_interface(FactReader& reader, const std::string& interface) {
  const std::string prefix = "nic." + interface + ".", folder = "/sys/class/net/" + interface + "/", device = folder + "device/";
  if (const auto event = reader.text(device + "uevent")) reader.note(prefix + "driver", field_of(*event, "DRIVER", '=').value_or(""));
  for (const char* name : {"mtu", "duplex", "tx_queue_len", "gro_flush_timeout", "napi_defer_hard_irqs", "threaded"})
    reader.note_line(prefix + name, folder + name);
  if (const auto speed = reader.line(folder + "speed"); speed && !speed->starts_with("-")) reader.note(prefix + "speed_mbit", *speed);
  for (const char* name : {"numa_node", "local_cpulist", "current_link_speed", "current_link_width", "vendor", "device"})
    reader.note_line(prefix + name, device + name);
  reader.note(prefix + "queues", queues_text(reader.names_in(folder + "queues")));
  reader.note(prefix + "interrupts", interrupts_text(reader, device));
  add_ethtool(reader, prefix, interface);
}

void add_interfaces(FactReader& reader) {
  std::size_t known = 0;
  for (const std::string& interface : reader.names_in("/sys/class/net")) {
    if (!reader.text("/sys/class/net/" + interface + "/device/uevent")) continue;  // virtual: without a device
    if (++known > kMostInterfaces) return;
    add_interface(reader, interface);
  }
}

std::string text_in(const nlohmann::json& object, const char* name) {
  const auto value = object.is_object() ? object.find(name) : object.end();
  return value != object.end() && value->is_string() ? value->get<std::string>() : std::string();
}

/// "eth0 mq, lo noqueue".
void add_disciplines(FactReader& reader) {
  const auto list = nlohmann::json::parse(reader.output({"tc", "-j", "qdisc", "show"}).value_or(""), nullptr, false);
  if (!list.is_array()) return;
  std::vector<std::string> roots;
  for (const auto& discipline : list)
    if (discipline.is_object() && discipline.contains("root"))
      roots.push_back(text_in(discipline, "dev") + " " + text_in(discipline, "kind"));
  reader.note("queueing_disciplines", fmt::format("{}", fmt::join(roots, ", ")));
}

/// Programs attached to interfaces change what is measured.
void add_attached_programs(FactReader& reader) {
  const auto list = nlohmann::json::parse(reader.output({"ip", "-j", "link", "show"}).value_or(""), nullptr, false);
  if (!list.is_array()) return;
  std::vector<std::string> with_xdp;
  for (const auto& link : list)
    if (link.is_object() && link.contains("xdp")) with_xdp.push_back(text_in(link, "ifname"));
  reader.note("xdp_interfaces", with_xdp.empty() ? "none" : fmt::format("{}", fmt::join(with_xdp, ", ")));
}

/// By `nft`, else `iptables-save` without its comments, which have the time.
void add_packet_filter(FactReader& reader) {
  std::optional<std::string> rules = reader.output({"nft", "list", "ruleset"});
  if (!rules) {
    const auto saved = reader.output({"iptables-save"});
    if (!saved) return;
    rules.emplace();
    for (const std::string& line : lines_of(*saved))
      if (!line.starts_with("#")) *rules += line.substr(0, line.find(" [")) + "\n";
  }
  if (first_line(*rules).empty())
    reader.note("packet_filter", "no rules");
  else
    reader.note_hash("packet_filter_sha256", *rules);
}

}  // namespace

void add_network_facts(FactReader& reader) {
  add_interfaces(reader);
  add_disciplines(reader);
  add_attached_programs(reader);
  add_packet_filter(reader);
}

}  // namespace netsettle::runners
