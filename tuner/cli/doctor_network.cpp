#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tuner/cli/doctor.hpp"

namespace netsettle::tuner {
namespace {

using Level = Finding::Level;
using runners::MachineView;
using runners::Nic;

bool is_shown(const Nic& nic, const std::optional<std::string>& interface) {
  return interface ? nic.device.name == *interface : !nic.device.device.empty();
}

/// Where an interrupt arrives: in effect, else where it may.
std::optional<CpuSet> arrives_on(const MachineView& view, int irq) {
  const auto affinity = view.affinity.find(irq);
  if (affinity == view.affinity.end()) return std::nullopt;
  const auto& [asked, effective] = affinity->second;
  return effective && !effective->empty() ? effective : asked;
}

/// All queue interrupts of the interface come to one CPU, although there are several of both.
std::optional<CpuId> only_cpu(const MachineView& view, const Nic& nic) {
  if (nic.irqs.queues.size() < 2 || view.cpus.online.size() < 2) return std::nullopt;
  CpuSet all;
  for (const auto& irq : nic.irqs.queues) {
    const auto cpus = arrives_on(view, irq.irq);
    if (!cpus || cpus->size() != 1) return std::nullopt;
    all.insert(cpus->begin(), cpus->end());
  }
  return all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

/// CPUs outside the local ones on which queue interrupts come.
CpuSet remote_cpus(const MachineView& view, const Nic& nic) {
  CpuSet remote;
  if (nic.placement_fallback || nic.placement_cpus == view.cpus.allowed) return remote;
  for (const auto& irq : nic.irqs.queues)
    for (const CpuId cpu : arrives_on(view, irq.irq).value_or(CpuSet()))
      if (!nic.placement_cpus.contains(cpu)) remote.insert(cpu);
  return remote;
}

void add_findings(const MachineView& view, const Nic& nic, std::vector<Finding>& findings) {
  const std::size_t before = findings.size();
  for (const std::string& problem : nic.problems) {
    const bool is_loud = problem.starts_with("no queue interrupt");
    findings.push_back({nic.device.name, is_loud ? Level::problem : Level::limit, printable(problem)});
  }
  if (const auto cpu = only_cpu(view, nic))
    findings.push_back(
        {nic.device.name, Level::limit,
         fmt::format("all {} queue interrupts come to CPU {}: interrupts.count spreads them", nic.irqs.queues.size(), *cpu)});
  if (const CpuSet remote = remote_cpus(view, nic); !remote.empty())
    findings.push_back(
        {nic.device.name, Level::limit,
         fmt::format("queue interrupts come to CPUs {}, which are not near the device (near: {}): try interrupts.node = \"local\"",
                     to_cpu_list(remote), to_cpu_list(nic.placement_cpus))});
  if (findings.size() == before && !nic.irqs.queues.empty())
    findings.push_back({nic.device.name, Level::fine, fmt::format("{} queue interrupts", nic.irqs.queues.size())});
}

std::string node_text(const Nic& nic) {
  if (nic.node_source == runners::NodeSource::none) return "no node of its own";
  if (!nic.node) return "node unknown";
  return fmt::format("node {}{}", *nic.node,
                     nic.node_source == runners::NodeSource::file ? "" : fmt::format(" ({})", to_text(nic.node_source)));
}

std::string cpus_text(const MachineView& view, int irq) {
  const auto affinity = view.affinity.find(irq);
  if (affinity == view.affinity.end()) return "";
  const auto& [asked, effective] = affinity->second;
  const std::string may = asked ? to_cpu_list(*asked) : "", on = effective ? to_cpu_list(*effective) : "";
  if (on.empty()) return fmt::format("may come to {}", may);
  return on == may ? fmt::format("on {}", on) : fmt::format("on {} (may: {})", on, may);
}

std::string queue_text(const runners::QueueIrq& irq) {
  return fmt::format("{}{}", to_text(irq.direction), irq.queue ? fmt::format(" {}", *irq.queue) : "");
}

std::string interface_text(const MachineView& view, const Nic& nic) {
  std::vector<std::string> parts = {nic.device.driver.value_or("unknown driver")};
  if (nic.device.pci) parts.push_back(*nic.device.pci);
  if (!nic.device.lower.empty()) parts.push_back(fmt::format("on {}", fmt::join(nic.device.lower, ", ")));
  parts.push_back(node_text(nic));
  parts.push_back(fmt::format("{} receive and {} transmit queues", nic.rx_queues, nic.tx_queues));
  parts.push_back(fmt::format("{}CPUs {}", nic.placement_fallback ? "" : "near ", to_cpu_list(nic.placement_cpus)));
  if (!nic.shared_with.empty()) parts.push_back(fmt::format("interrupts shared with {}", fmt::join(nic.shared_with, ", ")));
  std::string text = fmt::format("{}: {}\n", printable(nic.device.name), printable(fmt::format("{}", fmt::join(parts, ", "))));
  for (const auto& irq : nic.irqs.queues)
    text += fmt::format("  {:>5} {:<12} {:<32} {}\n", irq.irq, queue_text(irq), printable(irq.action), cpus_text(view, irq.irq));
  for (const auto& irq : nic.irqs.others)
    text += fmt::format("  {:>5} {:<12} {:<32} {}\n", irq.irq, "other", printable(irq.action), cpus_text(view, irq.irq));
  return text;
}

}  // namespace

std::string printable(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

std::vector<Finding> network_findings(const MachineView& view, const std::optional<std::string>& interface) {
  std::vector<Finding> findings;
  for (const auto& [name, nic] : view.interfaces)
    if (is_shown(nic, interface)) add_findings(view, nic, findings);
  for (const std::string& problem : view.problems) findings.push_back({"counters", Level::problem, printable(problem)});
  return findings;
}

std::string main_interface(const MachineView& view) {
  const auto first = [&](auto condition) {
    const auto nic = std::ranges::find_if(view.interfaces, [&](const auto& entry) { return condition(entry.second); });
    return nic == view.interfaces.end() ? std::nullopt : std::optional(nic->first);
  };
  if (const auto name = first([](const Nic& nic) { return !nic.device.device.empty() && !nic.irqs.queues.empty(); })) return *name;
  return first([](const Nic& nic) { return !nic.device.device.empty(); }).value_or("lo");
}

std::string network_text(const MachineView& view, const std::optional<std::string>& interface) {
  std::string text;
  for (const auto& [name, nic] : view.interfaces)
    if (is_shown(nic, interface)) text += interface_text(view, nic);
  return text;
}

}  // namespace netsettle::tuner
