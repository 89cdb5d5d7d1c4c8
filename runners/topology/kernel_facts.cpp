// The kernel: which one, how it was built and started, what it guards against.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

/// Boot parameters that change speed. The others may name disks, addresses and people: they are in the hash only.
constexpr std::array kBootParameters = {"mitigations",
                                        "isolcpus",
                                        "nohz",
                                        "nohz_full",
                                        "rcu_nocbs",
                                        "rcu_nocb_poll",
                                        "irqaffinity",
                                        "threadirqs",
                                        "skew_tick",
                                        "nosmt",
                                        "maxcpus",
                                        "nr_cpus",
                                        "preempt",
                                        "idle",
                                        "cpuidle.off",
                                        "processor.max_cstate",
                                        "intel_idle.max_cstate",
                                        "intel_pstate",
                                        "amd_pstate",
                                        "cpufreq.default_governor",
                                        "clocksource",
                                        "tsc",
                                        "iommu",
                                        "intel_iommu",
                                        "amd_iommu",
                                        "iommu.passthrough",
                                        "iommu.strict",
                                        "swiotlb",
                                        "hugepages",
                                        "hugepagesz",
                                        "default_hugepagesz",
                                        "transparent_hugepage",
                                        "numa_balancing",
                                        "psi",
                                        "audit",
                                        "nokaslr",
                                        "pcie_aspm",
                                        "nmi_watchdog",
                                        "nowatchdog",
                                        "nosoftlockup",
                                        "init_on_alloc",
                                        "init_on_free",
                                        "slub_debug",
                                        "highres",
                                        "hpet",
                                        "nopti",
                                        "pti",
                                        "spectre_v2",
                                        "retbleed",
                                        "workqueue.power_efficient"};

void add_boot_parameters(FactReader& reader) {
  const auto line = reader.line("/proc/cmdline");
  if (!line) return;
  std::vector<std::string> chosen;
  for (std::size_t at = 0; at < line->size();) {
    const auto end = std::min(line->find(' ', at), line->size());
    const std::string word = line->substr(at, end - at);
    if (std::ranges::find(kBootParameters, word.substr(0, word.find('='))) != kBootParameters.end()) chosen.push_back(word);
    at = end + 1;
  }
  reader.note("boot_parameters", fmt::format("{}", fmt::join(chosen, " ")));
  reader.note_hash("boot_line_sha256", *line);
}

/// /proc/config.gz is compressed: it is compared, not read.
void add_configuration(FactReader& reader) {
  const auto release = reader.line("/proc/sys/kernel/osrelease");
  const auto text = release ? reader.text("/boot/config-" + *release) : std::nullopt;
  if (!text) {
    if (const auto packed = reader.text("/proc/config.gz")) reader.note_hash("kernel_config_sha256", *packed);
    return;
  }
  reader.note_hash("kernel_config_sha256", *text);
  reader.note("kernel_hz", field_of(*text, "CONFIG_HZ", '=').value_or(""));
}

void add_preemption(FactReader& reader) {
  const auto version = reader.line("/proc/sys/kernel/version");
  if (!version) return;
  for (const char* kind : {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT_LAZY", "PREEMPT"})
    if (version->find(kind) != std::string::npos) return reader.note("kernel_preemption", kind);
  reader.note("kernel_preemption", "none or voluntary");
}

void add_mitigations(FactReader& reader) {
  const std::string folder = "/sys/devices/system/cpu/vulnerabilities/";
  for (const std::string& name : reader.names_in(folder)) reader.note_line("mitigation." + name, folder + name);
}

}  // namespace

void add_kernel_facts(FactReader& reader) {
  reader.note_line("kernel_release", "/proc/sys/kernel/osrelease");
  reader.note_line("kernel_version", "/proc/sys/kernel/version");
  reader.note_line("boot_id", "/proc/sys/kernel/random/boot_id");
  reader.note_line("kernel_tainted", "/proc/sys/kernel/tainted");
  reader.note_choice("kernel_lockdown", "/sys/kernel/security/lockdown");
  reader.note_line("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  add_preemption(reader);
  add_boot_parameters(reader);
  add_configuration(reader);
  add_mitigations(reader);
}

namespace {

constexpr std::array kSysctls = {"net.core.rmem_default",
                                 "net.core.rmem_max",
                                 "net.core.wmem_default",
                                 "net.core.wmem_max",
                                 "net.core.optmem_max",
                                 "net.core.netdev_max_backlog",
                                 "net.core.netdev_budget",
                                 "net.core.netdev_budget_usecs",
                                 "net.core.dev_weight",
                                 "net.core.busy_poll",
                                 "net.core.busy_read",
                                 "net.core.default_qdisc",
                                 "net.core.rps_sock_flow_entries",
                                 "net.core.netdev_tstamp_prequeue",
                                 "net.core.flow_limit_cpu_bitmap",
                                 "net.ipv4.udp_mem",
                                 "net.ipv4.udp_rmem_min",
                                 "net.ipv4.udp_wmem_min",
                                 "net.ipv4.udp_early_demux",
                                 "net.ipv4.ip_local_port_range",
                                 "net.netfilter.nf_conntrack_max",
                                 "kernel.numa_balancing",
                                 "kernel.sched_rt_runtime_us",
                                 "kernel.timer_migration",
                                 "vm.swappiness",
                                 "vm.overcommit_memory"};

/// The names of a folder of /proc/sys that say nothing about the machine: settings of each interface, and counts of the moment.
bool is_passing(const std::string& name) {
  return name == "conf" || name == "neigh" || name == "nf_conntrack_count" || name == "flush" || name.find("key") != std::string::npos;
}

/// "path=value" of everything below a folder; what cannot be listed is a file.
void collect_values(FactReader& reader, const std::string& folder, int depth, std::string& values) {
  constexpr int kDeepest = 6;
  for (const std::string& name : reader.names_in(folder)) {
    if (is_passing(name) || depth > kDeepest) continue;
    const std::string path = folder + "/" + name;
    if (const auto text = reader.text(path))
      values += path + "=" + *text + "\n";
    else
      collect_values(reader, path, depth + 1, values);
  }
}

}  // namespace

void add_sysctl_facts(FactReader& reader) {
  for (const std::string name : kSysctls) {
    std::string path = "/proc/sys/" + name;
    std::ranges::replace(path, '.', '/');
    auto value = reader.line(path).value_or("");
    std::ranges::replace(value, '\t', ' ');
    reader.note("sysctl." + name, std::move(value));
  }
  std::string values;
  collect_values(reader, "/proc/sys/net", 0, values);
  if (!values.empty()) reader.note_hash("sysctl_net_sha256", values);
}

}  // namespace netsettle::runners
