// What the CPUs did between two snapshots.

#include <algorithm>
#include <map>
#include <numeric>

#include "runners/probes/interrupts.hpp"
#include "runners/probes/reading_pairs.hpp"
#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

/// CPUs that are in one reading only came or went meanwhile: they have no difference. Where any counter of a CPU went back, the machine
/// was restarted between the readings, and no difference of any CPU means anything.
void add_softnet(const std::vector<SoftnetRow>& before, const std::vector<SoftnetRow>& after, CounterDeltas& deltas) {
  std::int64_t dropped_total = 0, squeezed_total = 0;
  std::optional<std::int64_t> limited_total;
  std::map<int, std::int64_t> processed_by_cpu;
  for (const SoftnetRow& row : before) {
    const auto later = std::ranges::find(after, row.cpu, &SoftnetRow::cpu);
    if (later == after.end()) continue;
    const auto processed = delta32(row.processed, later->processed);
    const auto dropped = delta32(row.dropped, later->dropped);
    const auto squeezed = delta32(row.time_squeeze, later->time_squeeze);
    if (!processed || !dropped || !squeezed) return;
    processed_by_cpu.emplace(row.cpu, *processed);
    dropped_total += *dropped;
    squeezed_total += *squeezed;
    const auto limited = row.flow_limit && later->flow_limit ? delta32(*row.flow_limit, *later->flow_limit) : std::nullopt;
    if (limited) limited_total = limited_total.value_or(0) + *limited;
  }
  if (processed_by_cpu.empty()) return;
  deltas.processed_by_cpu = std::move(processed_by_cpu);
  deltas.backlog_drops = dropped_total;
  deltas.time_squeeze = squeezed_total;
  deltas.flow_limit_drops = limited_total;
}

/// Columns of two readings by CPU; a CPU that is in one only, or whose count went back, has none.
std::map<int, std::int64_t> counts_by_cpu(const std::vector<CpuId>& first_cpus, const std::vector<std::uint32_t>& first,
                                          const std::vector<CpuId>& second_cpus, const std::vector<std::uint32_t>& second) {
  std::map<int, std::int64_t> counts;
  for (std::size_t i = 0; i < first_cpus.size(); ++i) {
    const auto column = static_cast<std::size_t>(std::ranges::find(second_cpus, first_cpus[i]) - second_cpus.begin());
    if (column == second_cpus.size()) continue;
    if (const auto delta = delta32(first[i], second[column])) counts.emplace(first_cpus[i], *delta);
  }
  return counts;
}

void add_net_rx(const SoftInterrupts& before, const SoftInterrupts& after, CounterDeltas& deltas) {
  const auto first = before.counts.find("NET_RX"), second = after.counts.find("NET_RX");
  if (first == before.counts.end() || second == after.counts.end()) return;
  deltas.net_rx_by_cpu = counts_by_cpu(before.cpus, first->second, after.cpus, second->second);
}

void add_vectors(const Interrupts& before, const Interrupts& after, std::string_view vectors, CounterDeltas& deltas) {
  for (const std::string_view word : split_words(vectors.substr(0, vectors.find('\n')))) {
    const auto irq = whole_number<int>(word);
    const auto first = irq ? before.irqs.find(*irq) : before.irqs.end();
    const auto second = irq ? after.irqs.find(*irq) : after.irqs.end();
    if (first == before.irqs.end() || second == after.irqs.end() || first->second.actions != second->second.actions) continue;
    auto name = second->second.actions.empty() ? std::string(word) : second->second.actions.front();
    deltas.queue_interrupts[std::move(name)] = counts_by_cpu(before.cpus, first->second.counts, after.cpus, second->second.counts);
  }
}

double grown(std::uint64_t before, std::uint64_t after) { return after > before ? static_cast<double>(after - before) : 0; }

bool went_back(const CpuTimes& before, const CpuTimes& after) {
  return after.user < before.user || after.nice < before.nice || after.system < before.system || after.irq < before.irq ||
         after.softirq < before.softirq || after.steal < before.steal;
}

struct Shares {
  double idle = 0, softirq = 0, steal = 0;  // percent
};

/// Guest time is within user time already. Idle and iowait may go back a little (proc(5)), which counts as 0.
std::optional<Shares> shares_between(const CpuTimes& before, const CpuTimes& after) {
  if (went_back(before, after)) return std::nullopt;
  const double idle = grown(before.idle, after.idle) + grown(before.iowait, after.iowait);
  const double softirq = grown(before.softirq, after.softirq);
  const double steal = grown(before.steal.value_or(0), after.steal.value_or(0));
  const double total = grown(before.user, after.user) + grown(before.nice, after.nice) + grown(before.system, after.system) +
                       grown(before.irq, after.irq) + softirq + steal + idle;
  if (total <= 0) return std::nullopt;
  return Shares{.idle = 100 * (idle / total), .softirq = 100 * (softirq / total), .steal = 100 * (steal / total)};
}

void add_cpu_times(const std::map<int, CpuTimes>& before, const std::map<int, CpuTimes>& after, CounterDeltas& deltas) {
  for (const auto& [cpu, times] : before) {
    const auto later = after.find(cpu);
    const auto shares = later == after.end() ? std::nullopt : shares_between(times, later->second);
    if (!shares) continue;
    if (cpu >= 0) {
      deltas.idle_by_cpu.emplace(cpu, shares->idle);
      continue;
    }
    deltas.idle_percent = shares->idle;
    deltas.softirq_percent = shares->softirq;
    if (times.steal && later->second.steal) deltas.steal_percent = shares->steal;
  }
}

/// Of the time between the readings, at most all of it.
std::optional<double> stall_percent(const Snapshot& before, const Snapshot& after) {
  const auto pressure = parse_both(before, after, "pressure.memory", parse_pressure);
  const double elapsed = static_cast<double>((after.at - before.at).count());
  if (!pressure || elapsed <= 0 || pressure->second.some_us < pressure->first.some_us) return std::nullopt;
  return std::min(100.0, 100 * grown(pressure->first.some_us, pressure->second.some_us) / elapsed);
}

/// The cores' events, and of the packages' the largest count: every CPU of a package shows the same one.
std::optional<std::int64_t> throttles_between(const Snapshot& before, const Snapshot& after) {
  const auto counts = parse_both(before, after, "throttle", parse_named_values);
  if (!counts) return std::nullopt;
  std::optional<std::int64_t> cores, packages;
  for (const auto& [name, count] : counts->first) {
    const auto delta = delta_of_name(*counts, name);
    if (!delta) continue;
    if (name.ends_with("core"))
      cores = cores.value_or(0) + *delta;
    else
      packages = std::max(packages.value_or(0), *delta);
  }
  if (!cores && !packages) return std::nullopt;
  return cores.value_or(0) + packages.value_or(0);
}

std::optional<double> mean_mhz(const Snapshot& snapshot) {
  constexpr double kKilohertz = 1000;
  const std::string* const text = text_of(snapshot, "cpufreq");
  const auto values = text ? parse_named_values(*text) : Expected<std::map<std::string, std::uint64_t>>();
  if (!values || values->empty()) return std::nullopt;
  double sum = 0;
  for (const auto& [name, kilohertz] : *values) sum += static_cast<double>(kilohertz);
  return sum / static_cast<double>(values->size()) / kKilohertz;
}

}  // namespace

void add_packet_work(const Snapshot& before, const Snapshot& after, const CpuSet& online, CounterDeltas& deltas) {
  const auto softnet = parse_both(before, after, "softnet", [&](std::string_view text) { return parse_softnet(text, online); });
  if (softnet) add_softnet(softnet->first, softnet->second, deltas);
  if (const auto softirqs = parse_both(before, after, "softirqs", parse_softirqs)) add_net_rx(softirqs->first, softirqs->second, deltas);
  const std::string* const vectors = text_of(before, "vectors.server");
  if (!vectors) return;
  const auto interrupts = parse_both(before, after, "interrupts", parse_interrupts);
  if (interrupts) add_vectors(interrupts->first, interrupts->second, *vectors, deltas);
}

void add_machine(const Snapshot& before, const Snapshot& after, CounterDeltas& deltas) {
  if (const auto stat = parse_both(before, after, "stat", parse_stat)) add_cpu_times(stat->first, stat->second, deltas);
  if (const auto memory = parse_both(before, after, "meminfo", parse_memory_available))
    deltas.memory_available_percent = std::min(memory->first, memory->second);
  deltas.memory_stall_percent = stall_percent(before, after);
  deltas.throttles = throttles_between(before, after);
  deltas.cpu_mhz = mean_mhz(after);
}

}  // namespace netsettle::runners
