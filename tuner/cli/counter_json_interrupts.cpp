// /proc/interrupts as JSON.

#include <algorithm>
#include <map>
#include <set>

#include "runners/probes/interrupts.hpp"
#include "tuner/cli/counter_json.hpp"

namespace netsettle::tuner {
namespace {

using runners::InterruptRow;
using runners::Interrupts;

Expected<Interrupts> interrupts_in(const CounterTree& tree, Json& problem) {
  NETSETTLE_ASSIGN(const std::string text, tree.text("proc/interrupts"));
  auto interrupts = runners::parse_interrupts(text);
  if (!interrupts) problem = malformed_fields(interrupts.error(), 1);
  return interrupts ? std::move(*interrupts) : Interrupts();
}

Json irqs_json(const std::map<int, InterruptRow>& irqs) {
  Json fields = Json::object();
  for (const auto& [number, row] : irqs) {
    Json actions = Json::array();
    for (const std::string& action : row.actions) actions.push_back(printable(action));
    fields[std::to_string(number)] = Json{{"counts", row.counts}, {"actions", std::move(actions)}};
  }
  return fields;
}

Json named_json(const Interrupts& interrupts) {
  Json fields = Json::object();
  for (const auto& [name, counts] : interrupts.named) fields[printable(name)] = counts;
  return fields;
}

/// The count of a CPU in a reading with other CPUs.
template <typename Counts>
std::optional<std::uint64_t> count_on(const Interrupts& interrupts, const Counts& counts, CpuId cpu) {
  const auto column = static_cast<std::size_t>(std::ranges::find(interrupts.cpus, cpu) - interrupts.cpus.begin());
  return column < counts.size() ? std::optional<std::uint64_t>(counts[column]) : std::nullopt;
}

struct InterruptDelta {
  const Interrupts &before, &after;
  std::vector<CpuId> cpus;
  Json irqs = Json::object(), gone = Json::array(), fresh = Json::array(), renamed = Json::array();
  std::map<CpuId, std::uint64_t> by_cpu;
  bool reset = false;

  /// A CPU that is in one reading only has null.
  Json counts_between(const InterruptRow& first, const InterruptRow& second) {
    Json counts = Json::array();
    for (const CpuId cpu : cpus) {
      const auto earlier = count_on(before, first.counts, cpu), later = count_on(after, second.counts, cpu);
      if (!earlier || !later) {
        counts.push_back(nullptr);
        continue;
      }
      const std::uint32_t delta = delta_modulo_32(*earlier, *later);
      counts.push_back(delta);
      by_cpu[cpu] += delta;
      reset = reset || looks_reset_32(*earlier, *later);
    }
    return counts;
  }

  void add(int number) {
    const auto earlier = before.irqs.find(number), later = after.irqs.find(number);
    if (later == after.irqs.end()) {
      gone.push_back(number);
    } else if (earlier == before.irqs.end()) {
      fresh.push_back(number);
    } else if (earlier->second.actions != later->second.actions) {
      renamed.push_back(number);
    } else {
      irqs[std::to_string(number)] = counts_between(earlier->second, later->second);
    }
  }

  /// Counts of the busiest CPU over the mean of all: 1 is even. Null where devices were set up again meanwhile, or nothing came.
  Json imbalance() const {
    std::uint64_t sum = 0, most = 0;
    for (const auto& [cpu, count] : by_cpu) {
      sum += count;
      most = std::max(most, count);
    }
    if (reset || !gone.empty() || !fresh.empty() || !renamed.empty() || sum == 0) return nullptr;
    return static_cast<double>(most) * static_cast<double>(by_cpu.size()) / static_cast<double>(sum);
  }
};

std::vector<CpuId> cpus_of_both(const Interrupts& before, const Interrupts& after) {
  std::set<CpuId> cpus(before.cpus.begin(), before.cpus.end());
  cpus.insert(after.cpus.begin(), after.cpus.end());
  return {cpus.begin(), cpus.end()};
}

}  // namespace

Expected<Json> interrupts_reading(const CounterTree& tree) {
  Json problem;
  NETSETTLE_ASSIGN(const auto interrupts, interrupts_in(tree, problem));
  if (!problem.is_null()) return problem;
  Json fields = {{"header_cpus", interrupts.cpus}};
  fields["irqs"] = irqs_json(interrupts.irqs);
  fields["named_rows"] = named_json(interrupts);
  return fields;
}

Expected<Json> interrupts_difference(const CounterTree& before, const CounterTree& after) {
  Json problem;
  NETSETTLE_ASSIGN(const auto first, interrupts_in(before, problem));
  if (!problem.is_null()) return problem;
  NETSETTLE_ASSIGN(const auto second, interrupts_in(after, problem));
  if (!problem.is_null()) return problem;
  InterruptDelta delta{.before = first, .after = second, .cpus = cpus_of_both(first, second)};
  for (const int number : keys_of_both(first.irqs, second.irqs)) delta.add(number);
  Json fields = {{"header_cpus", delta.cpus}};
  fields["imbalance"] = delta.imbalance();
  fields["delta"] = std::move(delta.irqs);
  fields["gone"] = std::move(delta.gone);
  fields["new"] = std::move(delta.fresh);
  fields["renamed"] = std::move(delta.renamed);
  if (delta.reset) fields["reset_suspected"] = true;
  return fields;
}

}  // namespace netsettle::tuner
