#include "runners/settings/catalogue_rows.hpp"

#include <algorithm>
#include <limits>

namespace netsettle::runners {
namespace {

using enum TakesEffect;
using enum Comparator;

constexpr std::optional<Comparator> kAsText = std::nullopt;
constexpr std::optional<std::int64_t> kOpen = std::nullopt;
constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

// Shares of RAM: a buffer is charged in bytes; a packet that waits takes up to a page; an entry of a flow table takes 20 bytes in both of
// its parts.
constexpr std::int64_t kBuffer = 8, kPacket = std::int64_t{8} * 4096, kFlow = std::int64_t{64} * 20, kPages = 4096;
constexpr std::int64_t kKilobytes = std::int64_t{16} * 1024;

// Bounds are netsettle's own where the kernel takes what would harm the machine (a budget of 0, a flow table of gigabytes).
constexpr CatalogueRow kRows[] = {
    {"sysctl.net.core.rmem_max", "bytes", new_sockets, number, 1, kMaxInt, kBuffer},
    {"sysctl.net.core.rmem_default", "bytes", new_sockets, number, 1, kMaxInt, kBuffer},
    {"sysctl.net.core.wmem_max", "bytes", new_sockets, number, 1, kMaxInt, kBuffer},
    {"sysctl.net.core.wmem_default", "bytes", new_sockets, number, 1, kMaxInt, kBuffer},
    {"sysctl.net.core.optmem_max", "bytes", new_sockets, number, 0, kMaxInt, kBuffer},
    {"sysctl.net.core.netdev_budget_usecs", "us", at_once, number, 1, kMaxInt},
    {"sysctl.net.core.netdev_budget", "packets", at_once, number, 1, kMaxInt},
    {"sysctl.net.core.netdev_max_backlog", "packets", at_once, number, 1, kMaxInt, kPacket},
    {"sysctl.net.core.dev_weight*", "packets", at_once, number, 1, kMaxInt},
    {"sysctl.net.core.mem_pcpu_rsv", "pages", at_once, number, 1, kMaxInt, kPages},
    {"sysctl.net.core.busy_*", "us", new_sockets, number, 0, 1'000'000},
    {"sysctl.net.core.rps_sock_flow_entries", "entries", at_once, number_rounded_up, 0, 1 << 29, kFlow},
    {"sysctl.net.core.flow_limit_cpu_bitmap", "", at_once, cpu_mask},
    {"sysctl.net.core.flow_limit_table_len", "buckets", at_once, number, 1, 1 << 20},
    {"sysctl.net.core.rps_default_mask", "", new_devices, cpu_mask},
    {"sysctl.net.core.default_qdisc", "", new_devices, exact},
    {"sysctl.net.core.gro_normal_batch", "segments", at_once, number, 1, kMaxInt},
    {"sysctl.net.core.skb_defer_max", "packets", at_once, number, 0, kMaxInt},
    {"sysctl.net.ipv4.udp_mem", "pages", at_once, vector, 0, kOpen, kPages},
    {"sysctl.net.ipv4.tcp_mem", "pages", at_once, vector, 0, kOpen, kPages},
    {"sysctl.net.ipv4.udp_rmem_min", "bytes", at_once, number, 1, kMaxInt, kBuffer},
    {"sysctl.net.ipv4.udp_wmem_min", "bytes", at_once, number, 1, kMaxInt, kBuffer},
    {"sysctl.net.ipv4.tcp_rmem", "bytes", new_sockets, vector, 1, kMaxInt, kBuffer},
    {"sysctl.net.ipv4.tcp_wmem", "bytes", new_sockets, vector, 1, kMaxInt, kBuffer},
    {"sysctl.net.ipv4.udp_early_demux", "", at_once, number, 0, 1},
    {"sysctl.net.ipv4.ip_early_demux", "", at_once, number, 0, 1},
    {"sysctl.net.ipv4.ip_local_port_range", "ports", new_sockets, vector, 1, 65535},
    {"sysctl.vm.min_free_kbytes", "KiB", at_once, number, 1024, kOpen, kKilobytes},
    {"sysctl.vm.stat_interval", "s", at_once, number, 1, 3600},
    {"sysctl.vm.swappiness", "", at_once, number, 0, 200},
    {"sysctl.kernel.sched_cfs_bandwidth_slice_us", "us", at_once, number, 1, 1'000'000},
    {"queues.rps.count", "CPUs", at_once, cpu_mask, 0},
    {"queues.rps.mask", "", at_once, cpu_mask},
    {"queues.rfs.entries", "entries", at_once, number_rounded_up, 0, 1 << 29, kFlow},
    {"queues.xps.count", "CPUs", at_once, cpu_mask, 0},
    {"napi.defer_hard_irqs", "polls", at_once, number, 0, 10'000},
    {"napi.gro_flush_timeout", "ns", at_once, number, 0, 1'000'000'000},
    {"napi.threaded", "", at_once, number, 0, 1},
    {"nic.features.*", "", at_once, exact, 0, 1},
    {"nic.coalesce.adaptive-rx", "", at_once, exact, 0, 1},
    {"nic.coalesce.rx-usecs", "us", at_once, number, 0, 10'000},
    {"nic.coalesce.tx-usecs", "us", at_once, number, 0, 10'000},
    {"nic.coalesce.*", "packets", at_once, number, 0, 4096},
    {"nic.channels.*", "queues", at_once, number, 1},
    {"nic.ring.*", "packets", at_once, number, 1},
    {"nic.rss.count", "queues", at_once, exact, 1},
    {"interrupts.count", "CPUs", at_once, cpu_list, 1},
    {"interrupts.*", "", at_once, cpu_list},
    {"cpu.governor", "", at_once, exact},
    {"cpu.epp", "", at_once, exact},
    {"cpu.boost", "", at_once, number, 0, 1},
    {"cpu.idle", "state", at_once, number, 0},
    {"cpu.dma_latency", "us", at_once, exact, 0, kMaxInt},
    {"sched.nr_migrate", "tasks", at_once, number, 0, 1024},
    {"sched.tunable_scaling", "", at_once, number, 0, 2},
    {"sched.preempt", "", at_once, exact},
    {"sched.*", "ns", at_once, number, 0, 1'000'000'000},
    {"*", "", at_once, kAsText},
};

bool fits(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

}  // namespace

const CatalogueRow& catalogue_row(std::string_view name) {
  return *std::ranges::find_if(kRows, [name](const CatalogueRow& row) { return fits(row.name, name); });
}

}  // namespace netsettle::runners
