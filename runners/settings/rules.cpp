// Which settings cannot matter in a rig, and in which order settings are applied (docs/safety.md; kernel documentation
// networking/ip-sysctl.rst and networking/scaling.rst).

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/catalogue.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

/// A device with hardware behind it takes packets from its NAPI, without the per-CPU backlog; lo and veth use the backlog.
bool is_hardware(const SettingContext& context) {
  const auto names = context.server->list_directory("/sys/class/net/" + context.interface);
  return names && contains(*names, "device");
}

/// Whether a file of a receive queue ("rps_cpus") holds anything but nothing.
bool any_queue_has(const SettingContext& context, const std::string& file) {
  const std::string queues = "/sys/class/net/" + context.interface + "/queues";
  for (const auto& queue : numbered(*context.server, queues, "rx-")) {
    const auto text = context.server->read_file(queues + "/" + queue + "/" + file);
    if (text && trimmed(*text).find_first_not_of("0,") != std::string::npos) return true;
  }
  return false;
}

bool steers_packets(const SettingContext& context, const Names& all_settings) {
  return contains(all_settings, "queues.rps.count") || contains(all_settings, "queues.rps.mask") || any_queue_has(context, "rps_cpus");
}

/// Whether a NAPI setting of the interface is on, or the study turns it on.
bool has_napi(const SettingContext& context, std::string_view file, std::string_view setting, const Names& all_settings) {
  if (contains(all_settings, setting)) return true;
  const auto text = context.server->read_file(fmt::format("/sys/class/net/{}/{}", context.interface, file));
  return text && trimmed(*text) != "0";
}

/// Known to be threaded, and to stay so.
bool is_threaded(const SettingContext& context, const Names& all_settings) {
  return !contains(all_settings, "napi.threaded") && has_napi(context, "threaded", "napi.threaded", all_settings);
}

std::optional<std::string> backlog_reason(const SettingContext& context, const Names& all_settings) {
  if (!is_hardware(context) || steers_packets(context, all_settings)) return std::nullopt;
  return "packets of " + context.interface + " do not pass the per-CPU backlog while RPS is off";
}

std::optional<std::string> budget_reason(const SettingContext& context, const Names& all_settings) {
  if (!is_hardware(context) || !is_threaded(context, all_settings) || steers_packets(context, all_settings)) return std::nullopt;
  return "the NAPI of " + context.interface + " is threaded: its packets are handled outside the softirq that has a budget";
}

std::optional<std::string> interrupt_reason(const SettingContext& context, const Names& all_settings) {
  if (context.cpus.size() == 1) return "there is one CPU that interrupts could come to";
  if (!is_threaded(context, all_settings)) return std::nullopt;
  return "the NAPI of " + context.interface + " is threaded: packets are handled where its threads run, not where interrupts arrive";
}

std::optional<std::string> flow_reason(const SettingContext& context, std::string_view name, const Names& all_settings) {
  if (!steers_packets(context, all_settings)) return "flows are steered only together with RPS, which is off";
  if (name == "queues.rfs.entries" || any_queue_has(context, "rps_flow_cnt")) return std::nullopt;
  return "the table is used only by queues whose rps_flow_cnt is not 0 (queues.rfs.entries sets both)";
}

std::optional<std::string> napi_pair_reason(const SettingContext& context, std::string_view name, const Names& all_settings) {
  if (name == "napi.defer_hard_irqs" && !has_napi(context, "gro_flush_timeout", "napi.gro_flush_timeout", all_settings))
    return "interrupts are put off only while gro_flush_timeout is not 0";
  if (name == "napi.gro_flush_timeout" && !has_napi(context, "napi_defer_hard_irqs", "napi.defer_hard_irqs", all_settings))
    return "without napi.defer_hard_irqs it only holds back packets that GRO can join, which UDP queries are not";
  return std::nullopt;
}

std::optional<std::string> coalescing_reason(const SettingContext& context, std::string_view name, const Names& all_settings) {
  if (!name.starts_with("nic.coalesce.rx-") || contains(all_settings, "nic.coalesce.adaptive-rx")) return std::nullopt;
  const auto adaptive = read_carrier(*context.server, coalescing_carrier(context.interface, "adaptive-rx"));
  if (!adaptive || *adaptive != "on") return std::nullopt;
  return "the card chooses it by itself while adaptive-rx is on";
}

std::optional<std::string> node_reason(const SettingContext& context) {
  if (numbered(*context.host, "/sys/devices/system/node", "node").size() > 1) return std::nullopt;
  return "this machine has one memory node";
}

std::optional<std::string> busy_reason(const SettingContext& context) {
  if (is_hardware(context)) return std::nullopt;
  return "a socket can only poll the queue of a network card, and " + context.interface + " is none";
}

std::optional<std::string> flow_limit_reason(const SettingContext& context, const Names& all_settings) {
  if (contains(all_settings, "sysctl.net.core.flow_limit_cpu_bitmap")) return std::nullopt;
  const auto bitmap = context.host->read_file("/proc/sys/net/core/flow_limit_cpu_bitmap");
  if (!bitmap || trimmed(*bitmap).find_first_not_of("0,") != std::string_view::npos) return std::nullopt;
  return "flow limits are off: flow_limit_cpu_bitmap has no CPU";
}

/// netsettle-echo answers from the socket that it listens on, and sends datagrams one by one.
std::optional<std::string> echo_reason(const SettingContext& context, std::string_view name) {
  if (context.server_buffers != ServerBuffers::kernel_default) return std::nullopt;
  if (name == "sysctl.net.ipv4.ip_local_port_range") return "this server answers from its own port and opens no other";
  return "it splits what a program sends as one large datagram, and this server sends none";
}

std::optional<std::string> join_reason(const SettingContext& context) {
  if (context.interface != "lo") return std::nullopt;
  return "packets of the loopback device do not pass GRO";
}

std::optional<std::string> energy_reason(const SettingContext& context, const Names& all_settings) {
  if (contains(all_settings, "cpu.governor")) return std::nullopt;
  const std::string folder = "/sys/devices/system/cpu/cpufreq";
  const auto policies = numbered(*context.host, folder, "policy");
  const bool all_performance = std::ranges::all_of(policies, [&](const std::string& policy) {
    const auto governor = context.host->read_file(fmt::format("{}/{}/scaling_governor", folder, policy));
    return governor && trimmed(*governor) == "performance";
  });
  if (policies.empty() || !all_performance) return std::nullopt;
  return "the governor is performance, which has an energy preference of its own";
}

/// Two settings that write the same files: the one that says more wins.
std::optional<std::string> double_reason(std::string_view name, const Names& all_settings) {
  struct Pair {
    std::string_view name, stronger;
  };
  constexpr Pair kPairs[] = {{"queues.rps.mask", "queues.rps.count"},
                             {"sysctl.net.core.rps_sock_flow_entries", "queues.rfs.entries"},
                             {"interrupts.count", "interrupts.map"},
                             {"interrupts.node", "interrupts.map"}};
  for (const auto& pair : kPairs)
    if (pair.name == name && contains(all_settings, pair.stronger)) return fmt::format("{} sets the same", pair.stronger);
  return std::nullopt;
}

std::optional<std::string> buffer_reason(const SettingContext& context, std::string_view name, const Names& all_settings) {
  const bool is_max = name.ends_with("_max");
  const bool receives = name.find("rmem") != std::string_view::npos;
  if (is_max && context.server_buffers == ServerBuffers::kernel_default) {
    // Together with the default it is the usual pair of a tuning guide; then it does no harm and is kept.
    if (contains(all_settings, receives ? "sysctl.net.core.rmem_default" : "sysctl.net.core.wmem_default")) return std::nullopt;
    return receives ? "it only limits what SO_RCVBUF may ask for, and this server does not ask"
                    : "it only limits what SO_SNDBUF may ask for, and this server does not ask";
  }
  if (!is_max && context.server_buffers == ServerBuffers::asked_for)
    return receives ? "this server sets SO_RCVBUF itself" : "this server sets SO_SNDBUF itself";
  return std::nullopt;
}

constexpr std::string_view kBufferSettings[] = {"sysctl.net.core.rmem_max", "sysctl.net.core.rmem_default", "sysctl.net.core.wmem_max",
                                                "sysctl.net.core.wmem_default"};
constexpr std::string_view kBacklogSettings[] = {"sysctl.net.core.netdev_max_backlog", "sysctl.net.core.dev_weight",
                                                 "sysctl.net.core.dev_weight_rx_bias", "sysctl.net.core.flow_limit_cpu_bitmap",
                                                 "sysctl.net.core.flow_limit_table_len"};

/// What never matters to UDP on an interface that exists.
struct Never {
  std::string_view prefix, reason;
};
constexpr Never kNever[] = {
    {"sysctl.net.ipv4.udp_wmem_min", "the kernel keeps no account of sent UDP memory: this setting has no effect"},
    {"sysctl.net.ipv4.udp_rmem_min", "it is only looked at while all UDP sockets together use more than udp_mem's first number"},
    {"sysctl.net.ipv4.udp_child_hash_entries", "it counts only for network namespaces that are made after the write"},
    {"sysctl.net.ipv4.tcp_", "it is TCP's, and the load is UDP"},
    {"sysctl.net.core.somaxconn", "it limits connections that wait to be accepted, and UDP has none"},
    {"sysctl.net.core.optmem_max", "it limits options and filters of a socket, not packets"},
    {"sysctl.net.core.default_qdisc", "it counts only for interfaces that are made after the write"},
    {"sysctl.net.core.rps_default_mask", "it counts only for interfaces that are made after the write"},
    {"sysctl.net.core.xfrm_", "it is about IPsec"},
    {"sysctl.net.core.message_", "it is about messages of the kernel's log"},
    {"sysctl.net.core.warnings", "it is about messages of the kernel's log"},
    {"nic.features.rx-udp-gro-forwarding", "it joins packets that are passed on; those for a program on this machine it leaves alone"},
};

struct Rank {
  std::string_view prefix;
  int rank;
};
// channels → rings → coalescing → features → RSS → interrupts → RPS/XPS/RFS → NAPI → sysctls; the first matching prefix counts.
constexpr Rank kRanks[] = {
    {"nic.channels", 10},
    {"nic.ring", 20},
    {"nic.coalesc", 30},
    {"nic.features", 40},
    {"nic.rss", 50},
    {"interrupts.", 60},
    {"sysctl.net.core.rps_sock_flow_entries", 69},  // the table before the queues that use it
    {"queues.", 70},
    {"napi.", 80},
    {"sysctl.", 90},
    {"", 100},  // cpu.*, sched.*: nothing depends on them
};

/// Where a change stands among those of its rank: a limit that grows comes before the value it limits, one that shrinks after it.
int buffer_phase(const SettingChange& change) {
  if (std::ranges::find(kBufferSettings, change.setting) == std::end(kBufferSettings)) return 1;
  if (!change.setting.ends_with("_max")) return 1;
  const auto from = decimal(change.from), to = decimal(change.to);
  return from && to && *to < *from ? 2 : 0;
}

}  // namespace

std::optional<std::string> inert_reason(const SettingContext& context, const std::string& name, const Names& all_settings) {
  const auto never = std::ranges::find_if(kNever, [&](const Never& row) { return name.starts_with(row.prefix); });
  if (never != std::end(kNever)) return std::string(never->reason);
  if (auto reason = double_reason(name, all_settings)) return reason;
  if (std::ranges::find(kBufferSettings, name) != std::end(kBufferSettings)) return buffer_reason(context, name, all_settings);
  if (name == "sysctl.net.core.flow_limit_table_len")
    if (auto reason = flow_limit_reason(context, all_settings)) return reason;
  if (std::ranges::find(kBacklogSettings, name) != std::end(kBacklogSettings)) return backlog_reason(context, all_settings);
  if (name.starts_with("sysctl.net.core.netdev_budget")) return budget_reason(context, all_settings);
  if (name == "sysctl.net.core.busy_poll" || name == "sysctl.net.core.busy_read") return busy_reason(context);
  if (name == "queues.rfs.entries" || name == "sysctl.net.core.rps_sock_flow_entries") return flow_reason(context, name, all_settings);
  if (name == "sysctl.kernel.numa_balancing" || name == "sysctl.vm.zone_reclaim_mode") return node_reason(context);
  if (name == "sysctl.net.ipv4.ip_local_port_range" || name == "nic.features.tx-udp-segmentation") return echo_reason(context, name);
  if (name == "sysctl.net.core.gro_normal_batch") return join_reason(context);
  if (name == "cpu.epp") return energy_reason(context, all_settings);
  if (name.starts_with("interrupts.")) return interrupt_reason(context, all_settings);
  if (name.starts_with("nic.coalesce.")) return coalescing_reason(context, name, all_settings);
  if (name.starts_with("napi.")) return napi_pair_reason(context, name, all_settings);
  return std::nullopt;
}

int apply_rank(const std::string& setting) {
  return std::ranges::find_if(kRanks, [&](const Rank& rank) { return setting.starts_with(rank.prefix); })->rank;
}

std::vector<SettingChange> in_order(std::vector<SettingChange> changes) {
  std::ranges::stable_sort(changes, {}, [](const SettingChange& change) {
    return std::tuple(apply_rank(change.setting), buffer_phase(change), change.setting);
  });
  return changes;
}

}  // namespace netsettle::runners
