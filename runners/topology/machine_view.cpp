#include "runners/topology/machine_view.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "runners/hosts/recording_host.hpp"
#include "runners/probes/text_lines.hpp"
#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

std::set<int> interrupts_of(const MachineView& view) {
  std::set<int> numbers;
  for (const auto& [name, nic] : view.interfaces) {
    for (const QueueIrq& irq : nic.irqs.queues) numbers.insert(irq.irq);
    for (const OtherIrq& irq : nic.irqs.others) numbers.insert(irq.irq);
  }
  return numbers;
}

void add_softnet(Host& host, MachineView& view) {
  const auto text = host.read_file("/proc/net/softnet_stat");
  if (!text) return;
  auto rows = parse_softnet(*text, view.cpus.online);
  if (rows)
    view.softnet = std::move(*rows);
  else
    view.problems.push_back(to_text(rows.error()));
}

void add_net_core(Host& host, MachineView& view) {
  constexpr std::array kNames = {"rps_sock_flow_entries", "busy_poll",           "busy_read",
                                 "netdev_budget",         "netdev_budget_usecs", "netdev_max_backlog"};
  for (const char* name : kNames) {
    const auto text = host.read_file(fmt::format("/proc/sys/net/core/{}", name));
    if (const auto value = text ? whole_number<std::int64_t>(first_line(*text)) : std::nullopt) view.net_core[name] = *value;
  }
}

/// "smp_affinity" as a list where there is one, else as a mask.
std::optional<CpuSet> irq_cpus(Host& host, const std::string& path) {
  if (auto cpus = read_cpu_list_file(host, path + "_list")) return cpus;
  const auto mask = host.read_file(path);
  const auto cpus = mask ? parse_cpu_mask(*mask) : Expected<CpuSet>(CpuSet());
  return mask && cpus ? std::optional(*cpus) : std::nullopt;
}

void add_affinity(Host& host, MachineView& view) {
  for (const int irq : interrupts_of(view)) {
    const std::string folder = fmt::format("/proc/irq/{}/", irq);
    IrqAffinity affinity{irq_cpus(host, folder + "smp_affinity"), irq_cpus(host, folder + "effective_affinity")};
    if (affinity.asked || affinity.effective) view.affinity[irq] = std::move(affinity);
  }
}

void add_interrupt_counts(const IrqLines& lines, MachineView& view) {
  if (lines.problem() && lines.problem()->code != ErrorCode::not_found) view.problems.push_back(to_text(*lines.problem()));
  if (!lines.table()) return;
  const Interrupts& table = *lines.table();
  for (const int irq : interrupts_of(view)) {
    const auto row = table.irqs.find(irq);
    if (row == table.irqs.end()) continue;
    for (std::size_t i = 0; i < table.cpus.size(); ++i) view.interrupts[irq][table.cpus[i]] = row->second.counts[i];
  }
}

/// A node's cpulist leaves out CPUs that are off line; a device near the node names them, and what then is in no node is in the only one
/// that no device has told of.
void complete_nodes(MachineView& view) {
  std::set<int> complete;
  for (const auto& [name, nic] : view.interfaces) {
    const auto node = nic.node_source == NodeSource::file && nic.local_cpus ? view.nodes.find(*nic.node) : view.nodes.end();
    if (node == view.nodes.end() || !std::ranges::includes(*nic.local_cpus, node->second)) continue;
    node->second = *nic.local_cpus;
    complete.insert(node->first);
  }
  CpuSet left = view.cpus.present ? *view.cpus.present : view.cpus.online;
  std::vector<CpuSet*> open;
  for (auto& [node, cpus] : view.nodes) {
    for (const CpuId cpu : cpus) left.erase(cpu);
    if (!complete.contains(node) && !cpus.empty()) open.push_back(&cpus);
  }
  if (open.size() == 1) open.front()->merge(left);
}

/// Of a status file only what tells CPUs: the rest has names and numbers of users and processes.
std::string cpus_of_status(std::string_view text) {
  std::string kept;
  for (const std::string_view line : split_lines(text))
    if (line.starts_with("Cpus_allowed")) kept.append(line).append("\n");
  return kept;
}

/// Names of files that a listing has and nobody reads: their presence alone would look as if something personal was captured.
bool is_unwanted(std::string_view path) {
  constexpr std::array kNames = {"address", "broadcast", "ifalias", "phys_port_id", "phys_port_name", "phys_switch_id", "addr_assign_type"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kNodes = "/sys/devices/system/node/";
  if (path.starts_with(kNodes) && name.starts_with("memory")) return true;  // blocks of RAM: many, and of no use
  return path.starts_with("/sys/") && std::ranges::find(kNames, name) != kNames.end();
}

/// The control group's path has names of containers and users: another one with the same CPUs stands for it.
void replace_control_group(FileTree& tree, const std::optional<CpuSet>& cpuset) {
  std::erase_if(tree, [](const auto& entry) { return entry.first.starts_with("/sys/fs/cgroup/"); });
  tree.erase("/proc/self/cgroup");
  tree.erase("/proc/self/mountinfo");
  if (!cpuset) return;
  tree["/proc/self/cgroup"] = TreeFile{"0::/\n"};
  tree["/proc/self/mountinfo"] = TreeFile{"25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"};
  tree["/sys/fs/cgroup/cpuset.cpus.effective"] = TreeFile{to_cpu_list(*cpuset) + "\n"};
}

}  // namespace

Expected<MachineView> read_machine(Host& host) {
  MachineView view;
  if (const auto kernel = host.read_file("/proc/sys/kernel/osrelease")) view.kernel = first_line(*kernel);
  NETSETTLE_ASSIGN(view.cpus, read_cpu_survey(host));
  view.nodes = read_nodes(host);
  const IrqLines lines(host);
  NETSETTLE_ASSIGN(view.interfaces, read_nics(host, view.cpus, view.nodes, lines));
  complete_nodes(view);
  add_softnet(host, view);
  add_affinity(host, view);
  add_interrupt_counts(lines, view);
  add_net_core(host, view);
  return view;
}

Expected<FileTree> capture_machine(Host& host) {
  RecordingHost recorder(host);
  NETSETTLE_ASSIGN(const MachineView view, read_machine(recorder));
  FileTree tree = recorder.tree();
  std::erase_if(tree, [](const auto& entry) { return is_unwanted(entry.first); });
  if (const auto status = tree.find("/proc/self/status"); status != tree.end())
    if (auto* file = std::get_if<TreeFile>(&status->second)) file->content = cpus_of_status(file->content);
  replace_control_group(tree, view.cpus.cpuset);
  return tree;
}

}  // namespace netsettle::runners
