#include "runners/settings/queue_state.hpp"

#include <algorithm>
#include <cerrno>
#include <set>

#include <fmt/format.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/interrupt_settings.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kTransmit = "tx-", kReceive = "rx-";

struct Kind {
  std::string_view file;  // below the folder of a queue
  Comparator comparator;
};
constexpr Kind kKinds[] = {{"rps_cpus", Comparator::cpu_mask},
                           {"rps_flow_cnt", Comparator::number_rounded_up},
                           {"xps_cpus", Comparator::cpu_mask},
                           {"xps_rxqs", Comparator::cpu_mask},
                           {"byte_queue_limits/limit_max", Comparator::number},
                           {"byte_queue_limits/limit_min", Comparator::number},
                           {"byte_queue_limits/hold_time", Comparator::number}};

bool contains(const std::vector<std::string>& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

Expected<void> add_file(Host& host, SettingFile file, std::vector<QueueFile>& state) {
  NETSETTLE_ASSIGN(std::string text, read_carrier(host, file.path));
  state.push_back({std::move(file), std::move(text)});
  return {};
}

Expected<void> add_queue(const SettingContext& context, const std::string& folder, const std::vector<Kind>& kinds,
                         std::vector<QueueFile>& state) {
  Host& host = *context.server;
  NETSETTLE_ASSIGN(std::vector<std::string> names, host.list_directory(folder));
  if (contains(names, "byte_queue_limits")) {
    NETSETTLE_ASSIGN(const auto limits, host.list_directory(folder + "/byte_queue_limits"));
    for (const auto& name : limits) names.push_back("byte_queue_limits/" + name);
  }
  for (const auto& [file, comparator] : kinds) {
    if (!contains(names, file)) continue;
    NETSETTLE_TRY(add_file(host, {fmt::format("{}/{}", folder, file), host.network_namespace(), comparator}, state));
  }
  return {};
}

Expected<void> add_queues(const SettingContext& context, std::vector<QueueFile>& state) {
  const std::string folder = fmt::format("/sys/class/net/{}/queues", context.interface);
  NETSETTLE_ASSIGN(const auto names, context.server->list_directory(folder));
  std::vector<Kind> kinds(std::begin(kKinds), std::end(kKinds));
  // A device with one transmit queue lists the files of XPS, which cannot be read.
  if (std::ranges::count_if(names, [](const std::string& name) { return name.starts_with(kTransmit); }) == 1)
    std::erase_if(kinds, [](const Kind& kind) { return kind.file.starts_with("xps_"); });
  for (const auto& name : names) {
    if (!name.starts_with(kReceive) && !name.starts_with(kTransmit)) continue;
    NETSETTLE_TRY(add_queue(context, folder + "/" + name, kinds, state));
  }
  return {};
}

Expected<void> add_table(const SettingContext& context, std::vector<QueueFile>& state) {
  const auto added =
      add_file(*context.server, {table_carrier(context.interface), context.server->network_namespace(), Comparator::exact}, state);
  return added || added.error().code == ErrorCode::unsupported || added.error().errno_value == EOPNOTSUPP ? Expected<void>() : added;
}

/// Looked for twice: what the search cannot read it passes over, and an interrupt that is missed would lose its CPUs.
Expected<std::set<int>> find_interrupts(const SettingContext& context) {
  std::set<int> found;
  for (int time = 0; time < 2; ++time) {
    const auto interrupts = queue_interrupts(context, "interrupts");
    if (!interrupts && interrupts.error().code != ErrorCode::unsupported) return std::unexpected(interrupts.error());
    if (!interrupts) continue;
    for (const auto& interrupt : *interrupts) found.insert(interrupt.irq);
  }
  return found;
}

Expected<void> add_interrupts(const SettingContext& context, std::vector<QueueFile>& state) {
  NETSETTLE_ASSIGN(const std::set<int> interrupts, find_interrupts(context));
  for (const int irq : interrupts) {
    const std::string path = fmt::format("/proc/irq/{}/smp_affinity_list", irq);
    NETSETTLE_TRY(add_file(*context.host, {path, context.host->network_namespace(), Comparator::cpu_list}, state));
  }
  return {};
}

}  // namespace

Expected<std::vector<QueueFile>> read_queue_state(const SettingContext& context) {
  std::vector<QueueFile> state;
  NETSETTLE_TRY(add_queues(context, state));
  NETSETTLE_TRY(add_table(context, state));
  NETSETTLE_TRY(add_interrupts(context, state));
  return state;
}

bool is_reset_by(const JournalEntry& entry, const JournalEntry& cause) {
  if (entry.kind != EntryKind::file) return false;
  if (entry.path.starts_with("/proc/irq/")) return true;
  if (entry.netns != cause.netns) return false;
  const std::string interface = interface_of(cause.path);
  return entry.path == table_carrier(interface) || entry.path.starts_with(fmt::format("/sys/class/net/{}/queues/", interface));
}

std::optional<int> open_entry(const Journal& journal, const std::string& path, const std::string& netns) {
  const auto& entries = journal.entries();
  const auto found = std::ranges::find_if(entries, [&](const JournalEntry& entry) {
    return entry.kind == EntryKind::file && entry.state == EntryState::open && entry.path == path && entry.netns == netns;
  });
  return found == entries.end() ? std::nullopt : std::optional(found->id);
}

}  // namespace netsettle::runners
