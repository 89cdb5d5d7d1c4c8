// All interfaces of a machine: nodes and CPUs of each, what stands on what, and what a user should know.

#include <algorithm>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"
#include "runners/topology/fact_reader.hpp"
#include "runners/topology/nic.hpp"

namespace netsettle::runners {
namespace {

std::optional<int> node_in(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  if (!text) return std::nullopt;
  const std::string line = first_line(*text);
  if (line.starts_with('-')) return -1;
  return whole_number<int>(line);
}

std::optional<CpuSet> local_cpus_of(Host& host, const std::string& bus) {
  if (auto cpus = read_cpu_list_file(host, bus + "/local_cpulist")) return cpus;
  const auto mask = host.read_file(bus + "/local_cpus");
  const auto cpus = mask ? parse_cpu_mask(*mask) : Expected<CpuSet>(CpuSet());
  return mask && cpus ? std::optional(*cpus) : std::nullopt;
}

class NicSurvey {
 public:
  NicSurvey(Host& host, const CpuSurvey& cpus, const std::map<int, CpuSet>& nodes, const IrqLines& lines)
      : host_(host), cpus_(cpus), nodes_(nodes), lines_(lines) {}

  std::map<std::string, Nic> read(const std::map<std::string, NicDevice>& devices) {
    for (const auto& [name, device] : devices) names_.insert(name);
    for (const auto& [name, device] : devices) nics_[name] = own_part(device, devices);
    for (auto& [name, nic] : nics_) add_shared(nic);
    for (auto& [name, nic] : nics_) add_lower(nic);
    for (auto& [name, nic] : nics_) add_placement(nic);
    for (auto& [name, nic] : nics_) add_problems(nic);
    return std::move(nics_);
  }

 private:
  /// What the interface's own device and files tell.
  Nic own_part(const NicDevice& device, const std::map<std::string, NicDevice>& devices) {
    Nic nic;
    nic.device = device;
    std::set<std::string> same_function;
    for (const auto& [name, other] : devices)
      if (!device.bus.empty() && other.bus == device.bus) same_function.insert(name);
    nic.irqs = find_device_irqs(host_, device, lines_, names_, same_function);
    add_queue_settings(host_, nic);
    if (same_function.size() < 2) nic.dev_port.reset();
    add_node(nic);
    return nic;
  }

  void add_node(Nic& nic) {
    const std::string& bus = nic.device.bus;
    if (bus.empty()) return;
    nic.node_file = node_in(host_, bus + "/numa_node");
    nic.local_cpus = local_cpus_of(host_, bus);
    if (nic.node_file && *nic.node_file >= 0) {
      nic.node = nic.node_file;
      nic.node_source = NodeSource::file;
    } else if (nodes_.size() <= 1) {
      nic.node = nodes_.empty() ? 0 : nodes_.begin()->first;
      nic.node_source = NodeSource::single_node;
    } else {
      nic.node = node_with(nic.local_cpus);
      nic.node_source = nic.node ? NodeSource::local_cpulist : NodeSource::unknown;
    }
  }

  /// The node that has just these CPUs, of those on line.
  std::optional<int> node_with(const std::optional<CpuSet>& cpus) const {
    const CpuSet online = intersection(cpus.value_or(CpuSet()), cpus_.online);
    if (online.empty()) return std::nullopt;
    for (const auto& [node, own] : nodes_)
      if (intersection(own, cpus_.online) == online) return node;
    return std::nullopt;
  }

  void add_shared(Nic& nic) {
    for (const auto& [name, other] : nics_) {
      const bool is_neighbour = name != nic.device.name && !nic.device.bus.empty() && other.device.bus == nic.device.bus;
      if (is_neighbour && have_common_queue(nic.irqs, other.irqs)) nic.shared_with.push_back(name);
    }
  }

  static bool have_common_queue(const NicIrqs& a, const NicIrqs& b) {
    return std::ranges::any_of(a.queues,
                               [&](const QueueIrq& irq) { return std::ranges::find(b.queues, irq.irq, &QueueIrq::irq) != b.queues.end(); });
  }

  /// The lowest interfaces below this one. Links of a broken tree may form a circle.
  void collect_leaves(const Nic& nic, std::set<std::string>& seen, std::vector<std::string>& leaves) const {
    for (const std::string& name : nic.device.lower) {
      const auto below = nics_.find(name);
      if (below == nics_.end() || !seen.insert(name).second) continue;
      if (below->second.device.lower.empty()) leaves.push_back(name);
      collect_leaves(below->second, seen, leaves);
    }
  }

  void add_lower(Nic& nic) {
    std::set<std::string> seen = {nic.device.name};
    std::vector<std::string> leaves;
    collect_leaves(nic, seen, leaves);
    std::ranges::sort(leaves);
    const auto is_virtual = [&](const std::string& name) { return nics_.at(name).device.device.empty(); };
    if (!std::ranges::all_of(leaves, is_virtual)) std::erase_if(leaves, is_virtual);
    nic.leaf_devices = leaves;
    if (nic.irqs.evidence == IrqEvidence::none) add_lower_irqs(nic);
    for (const std::string& name : leaves)
      if (const auto& local = nics_.at(name).local_cpus) {
        if (!nic.leaf_cpus) nic.leaf_cpus.emplace();
        nic.leaf_cpus->insert(local->begin(), local->end());
      }
  }

  void add_lower_irqs(Nic& nic) {
    std::set<int> taken;  // ports of one function have the same interrupts
    for (const std::string& name : nic.leaf_devices) {
      const NicIrqs& below = nics_.at(name).irqs;
      for (QueueIrq irq : below.queues) {
        if (!taken.insert(irq.irq).second) continue;
        if (nic.device.kind == NicKind::virtual_) irq.interface = name;
        nic.irqs.queues.push_back(std::move(irq));
      }
      for (const OtherIrq& irq : below.others)
        if (taken.insert(irq.irq).second) nic.irqs.others.push_back(irq);
    }
    if (!taken.empty()) nic.irqs.evidence = nic.device.kind == NicKind::virtual_ ? IrqEvidence::lower_devices : IrqEvidence::lower_device;
  }

  void add_placement(Nic& nic) const {
    std::optional<CpuSet> local = nic.local_cpus ? nic.local_cpus : nic.leaf_cpus;
    if (!local && nic.node_source == NodeSource::file)
      if (const auto node = nodes_.find(*nic.node); node != nodes_.end()) local = node->second;
    nic.placement_cpus = intersection(local.value_or(CpuSet()), cpus_.allowed);
    nic.placement_fallback = nic.placement_cpus.empty();
    if (nic.placement_fallback) nic.placement_cpus = cpus_.allowed;
  }

  void add_problems(Nic& nic) const {
    const auto kind = nic.device.kind;
    auto& problems = nic.problems;
    if (kind == NicKind::virtual_) return;
    if (kind == NicKind::usb)
      problems.push_back("a USB device has no interrupts of its own: those of the host controller cannot be spread");
    if (kind == NicKind::usb || kind == NicKind::vmbus) return;
    if (nic.irqs.queues.empty()) problems.push_back(missing_interrupts(nic.irqs));
    if (nic.node_source == NodeSource::unknown)
      problems.push_back("the kernel does not know which NUMA node the device is near: measure both, or take all CPUs");
    if (nic.local_cpus && nic.placement_fallback)
      problems.push_back(
          fmt::format("none of its local CPUs ({}) may be used here", nic.local_cpus->empty() ? "none" : to_cpu_list(*nic.local_cpus)));
  }

  std::string missing_interrupts(const NicIrqs& irqs) const {
    if (irqs.evidence == IrqEvidence::irq_file && !irqs.shared_actions.empty())
      return fmt::format("interrupt {} is one line for all its packets, shared by {}: to move it moves those too", irqs.others.front().irq,
                         fmt::join(irqs.shared_actions, ", "));
    if (irqs.evidence == IrqEvidence::irq_file) return "it has one interrupt line for all its packets: there is nothing to spread";
    if (lines_.problem()) return fmt::format("no queue interrupt was found, and {}", to_text(*lines_.problem()));
    return "no queue interrupt was found, where a device of this kind should have some: is the interface up, and may /proc/interrupts be "
           "read?";
  }

  Host& host_;
  const CpuSurvey& cpus_;
  const std::map<int, CpuSet>& nodes_;
  const IrqLines& lines_;
  std::set<std::string> names_;
  std::map<std::string, Nic> nics_;
};

}  // namespace

std::string_view to_text(NodeSource source) {
  switch (source) {
    case NodeSource::file:
      return "file";
    case NodeSource::single_node:
      return "single-node";
    case NodeSource::local_cpulist:
      return "local_cpulist";
    case NodeSource::unknown:
      return "unknown";
    case NodeSource::none:
      return "none";
  }
  return "";
}

Expected<std::map<std::string, Nic>> read_nics(Host& host, const CpuSurvey& cpus, const std::map<int, CpuSet>& nodes,
                                               const IrqLines& lines) {
  NETSETTLE_ASSIGN(const auto devices, read_nic_devices(host));
  return NicSurvey(host, cpus, nodes, lines).read(devices);
}

Expected<Nic> read_nic(Host& host, const std::string& interface) {
  NETSETTLE_ASSIGN(const CpuSurvey cpus, read_cpu_survey(host));
  NETSETTLE_ASSIGN(auto nics, read_nics(host, cpus, read_nodes(host), IrqLines(host)));
  const auto nic = nics.find(interface);
  if (nic != nics.end()) return std::move(nic->second);
  std::vector<std::string> names;
  for (const auto& [name, other] : nics) names.push_back(name);
  return fail(ErrorCode::not_found, interface, fmt::format("there is no such interface; there are {}", fmt::join(names, ", ")));
}

}  // namespace netsettle::runners
