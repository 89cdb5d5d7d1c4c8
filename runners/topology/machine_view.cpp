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

void add_interrupt_counts(const IrqLines& lines, MachineView& view) {
  if (lines.problem() && lines.problem()->code != ErrorCode::not_found) view.problems.push_back(to_text(*lines.problem()));
  if (!lines.table()) return;
  const Interrupts& table = *lines.table();
  std::set<int> wanted;
  for (const auto& [name, nic] : view.interfaces) {
    for (const QueueIrq& irq : nic.irqs.queues) wanted.insert(irq.irq);
    for (const OtherIrq& irq : nic.irqs.others) wanted.insert(irq.irq);
  }
  for (const int irq : wanted) {
    const auto row = table.irqs.find(irq);
    if (row == table.irqs.end()) continue;
    for (std::size_t i = 0; i < table.cpus.size(); ++i) view.interrupts[irq][table.cpus[i]] = row->second.counts[i];
  }
}

/// Of a status file only what tells CPUs: the rest has names and numbers of users and processes.
std::string cpus_of_status(std::string_view text) {
  std::string kept;
  for (const std::string_view line : split_lines(text))
    if (line.starts_with("Cpus_allowed")) kept.append(line).append("\n");
  return kept;
}

/// Names of files whose presence alone would say that something personal was captured.
bool is_personal(std::string_view path) {
  constexpr std::array kNames = {"address",        "broadcast",      "ifalias",          "phys_port_id",
                                 "phys_port_name", "phys_switch_id", "addr_assign_type"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
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
  add_softnet(host, view);
  add_interrupt_counts(lines, view);
  add_net_core(host, view);
  return view;
}

Expected<FileTree> capture_machine(Host& host) {
  RecordingHost recorder(host);
  NETSETTLE_ASSIGN(const MachineView view, read_machine(recorder));
  FileTree tree = recorder.tree();
  std::erase_if(tree, [](const auto& entry) { return is_personal(entry.first); });
  if (const auto status = tree.find("/proc/self/status"); status != tree.end())
    if (auto* file = std::get_if<TreeFile>(&status->second)) file->content = cpus_of_status(file->content);
  replace_control_group(tree, view.cpus.cpuset);
  return tree;
}

}  // namespace netsettle::runners
