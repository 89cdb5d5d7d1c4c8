// Which settings cannot matter in a rig, and in which order settings are applied (docs/safety.md; kernel documentation
// networking/ip-sysctl.rst and networking/scaling.rst).

#include <algorithm>
#include <tuple>

#include "runners/settings/catalogue.hpp"
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

bool steers_packets(const SettingContext& context) {
  const std::string queues = "/sys/class/net/" + context.interface + "/queues";
  const auto names = context.server->list_directory(queues);
  if (!names) return false;
  return std::ranges::any_of(*names, [&](const std::string& queue) {
    if (!queue.starts_with("rx-")) return false;
    const auto mask = context.server->read_file(queues + "/" + queue + "/rps_cpus");
    return mask && !equivalent(Comparator::cpu_mask, "0", *mask);
  });
}

std::optional<std::string> backlog_reason(const SettingContext& context, const Names& all_settings) {
  if (!is_hardware(context) || contains(all_settings, "queues.rps.count") || steers_packets(context)) return std::nullopt;
  return "packets of " + context.interface + " do not pass the per-CPU backlog while RPS is off";
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

struct Rank {
  std::string_view prefix;
  int rank;
};
// channels → rings → coalescing → features → RSS → interrupts → RPS/XPS/RFS → NAPI → sysctls; the first matching prefix counts.
constexpr Rank kRanks[] = {
    {"nic.channels", 10},
    {"nic.rings", 20},
    {"nic.coalescing", 30},
    {"nic.features", 40},
    {"nic.rss", 50},
    {"irq.", 60},
    {"sysctl.net.core.rps_sock_flow_entries", 69},  // the table before the queues that use it
    {"queues.", 70},
    {"napi.", 80},
    {"sysctl.", 90},
    {"", 100},
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
  if (name == "sysctl.net.ipv4.udp_wmem_min") return "the kernel keeps no account of sent UDP memory: this setting has no effect";
  if (name == "sysctl.net.ipv4.udp_rmem_min")
    return "it is only looked at while all UDP sockets together use more than udp_mem's first number";
  if (std::ranges::find(kBufferSettings, name) != std::end(kBufferSettings)) return buffer_reason(context, name, all_settings);
  if (std::ranges::find(kBacklogSettings, name) != std::end(kBacklogSettings)) return backlog_reason(context, all_settings);
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
