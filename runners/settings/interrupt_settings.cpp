#include "runners/settings/interrupt_settings.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/setting_form.hpp"
#include "runners/probes/interrupts.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"
#include "runners/topology/nic.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kAsFound = "as-found";

/// An interrupt moves when it next comes, and where an earlier move is not finished, only some interrupts later.
constexpr std::uint64_t kFewToMove = 8;

// ---- the interface -----------------------------------------------------------------------------

/// Queue numbers become places: receive and transmit queues of the same number share one.
void number_queues(std::vector<QueueInterrupt>& interrupts) {
  std::vector<int> queues;
  for (const auto& interrupt : interrupts) queues.push_back(interrupt.queue);
  std::ranges::sort(queues);
  queues.erase(std::ranges::unique(queues).begin(), queues.end());
  for (auto& interrupt : interrupts) interrupt.queue = static_cast<int>(std::ranges::lower_bound(queues, interrupt.queue) - queues.begin());
  std::ranges::sort(interrupts, {}, [](const QueueInterrupt& interrupt) { return std::pair(interrupt.queue, interrupt.irq); });
}

std::string why_none(const Nic& nic) {
  if (!nic.problems.empty()) return ": " + nic.problems.front();
  return nic.device.kind == NicKind::virtual_ ? " is a virtual device: it has no interrupts of its own"
                                              : ": no interrupts of its queues were found";
}

CpuSet cpus_in(Host& host, const std::string& path) { return read_cpu_list_file(host, path).value_or(CpuSet()); }

/// The CPUs that are local to the interface, or to what it stands on. Empty where that is not known.
CpuSet local_cpus(Host& host, const Nic& nic) {
  if (nic.node_source == NodeSource::unknown) return {};
  for (const auto* cpus : {&nic.local_cpus, &nic.leaf_cpus})
    if (*cpus && !(*cpus)->empty()) return **cpus;
  if (!nic.node) return {};
  const auto nodes = read_nodes(host);
  const auto own = nodes.find(*nic.node);
  return own != nodes.end() ? own->second : nodes.empty() ? cpus_in(host, "/sys/devices/system/cpu/online") : CpuSet();
}

/// Those of `cpus`, in their order, that are in the set, or not in it.
std::vector<CpuId> chosen(const std::vector<CpuId>& cpus, const CpuSet& set, bool inside) {
  std::vector<CpuId> result;
  std::ranges::copy_if(cpus, std::back_inserter(result), [&](CpuId cpu) { return set.contains(cpu) == inside; });
  return result;
}

std::string why_no_cpu(std::string_view node) {
  if (node == "remote") return "there is no CPU that is 'remote': all that may be used are on the interface's own node";
  if (node == "away-from-server") return "there is no CPU that is 'away-from-server': the server runs on all that may be used";
  return fmt::format("there is no CPU that is '{}' among those that may be used", node);
}

/// The other hardware threads of the server's cores: where there are none, with the reason.
Expected<CpuSet> siblings_of_server(const SettingContext& context, const std::string& name) {
  const CpuSet server(context.server_cpus.begin(), context.server_cpus.end());
  CpuSet threads;
  bool has_threads = false;
  for (const CpuId cpu : server)
    for (const char* file : {"thread_siblings_list", "core_cpus_list"}) {  // the old name and the new one
      CpuSet core = cpus_in(*context.host, fmt::format("/sys/devices/system/cpu/cpu{}/topology/{}", cpu, file));
      has_threads = has_threads || core.size() > 1;
      threads.merge(core);
    }
  std::erase_if(threads, [&](CpuId cpu) { return server.contains(cpu); });
  if (!threads.empty()) return threads;
  return fail(ErrorCode::unsupported, name,
              has_threads ? "the server itself runs on all hardware threads of its cores"
                          : "the cores here have one hardware thread each: a CPU has no sibling");
}

/// The set that a word stands for, in which interrupts come or from which they stay away.
Expected<CpuSet> cpus_of_word(const SettingContext& context, const ResolvedSetting& setting, std::string_view node) {
  const bool by_server = node == "with-server" || node == "away-from-server" || node == "sibling";
  if (by_server && context.server_cpus.empty())
    return fail(ErrorCode::unsupported, setting.name, "it is not known on which CPUs the server runs");
  if (node == "sibling") return siblings_of_server(context, setting.name);
  if (by_server) return CpuSet(context.server_cpus.begin(), context.server_cpus.end());
  if (!setting.local_cpus.empty()) return setting.local_cpus;
  return fail(ErrorCode::unsupported, setting.name, "it is not known to which node the interface belongs");
}

Expected<std::vector<CpuId>> cpus_at(const SettingContext& context, const ResolvedSetting& setting, const std::string& node) {
  const auto& words = form_of("interrupts.node").words;
  if (std::ranges::find(words, node) == words.end()) return not_a("a place for interrupts", setting.name, node);
  if (node == "any") return context.cpus;
  NETSETTLE_ASSIGN(const CpuSet set, cpus_of_word(context, setting, node));
  std::vector<CpuId> cpus = chosen(context.cpus, set, node != "remote" && node != "away-from-server");
  if (cpus.empty()) return fail(ErrorCode::unsupported, setting.name, why_no_cpu(node));
  return cpus;
}

// ---- the spread --------------------------------------------------------------------------------

struct Spread {
  std::optional<std::string> count, node, map;
};

Spread parse_spread(const std::string& name, const std::string& value) {
  if (name == "interrupts.count") return {value, std::nullopt, std::nullopt};
  if (name == "interrupts.node") return {std::nullopt, value, std::nullopt};
  if (name == "interrupts.map") return {std::nullopt, std::nullopt, value};
  Spread spread;
  std::string_view rest = value;
  for (const auto& [word, member] :
       {std::pair("count=", &Spread::count), std::pair("node=", &Spread::node), std::pair("map=", &Spread::map)}) {
    if (!rest.starts_with(word)) continue;
    rest.remove_prefix(std::string_view(word).size());
    const auto end = member == &Spread::map ? rest.size() : std::min(rest.find(' '), rest.size());
    spread.*member = std::string(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
  }
  return spread;
}

int queues_of(const ResolvedSetting& setting) { return setting.files.empty() ? 0 : setting.files.back().part + 1; }

/// One list of CPUs per interrupt.
Expected<Texts> mapped(const ResolvedSetting& setting, const std::string& map) {
  Texts texts;
  for (std::string_view rest = trimmed(map); !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    const auto cpus = parse_cpu_list(rest.substr(0, end));
    if (!cpus || cpus->empty()) return not_a("a list of CPUs for each interrupt, with spaces between", setting.name, map);
    texts.push_back(to_cpu_list(*cpus));
    rest = trimmed(rest.substr(end));
  }
  if (texts.size() != setting.files.size())
    return fail(ErrorCode::invalid_input, setting.name,
                fmt::format("has {} lists of CPUs for {} interrupts", texts.size(), setting.files.size()));
  return texts;
}

/// Where only the number is said: on the interface's own node, as far as it is known.
Expected<std::vector<CpuId>> pool_of(const SettingContext& context, const ResolvedSetting& setting,
                                     const std::optional<std::string>& node) {
  if (node && *node != kAsFound) return cpus_at(context, setting, *node);
  if (auto local = cpus_at(context, setting, "local")) return local;
  return context.cpus;
}

Expected<Texts> spread_texts(const SettingContext& context, const ResolvedSetting& setting, const std::string& value) {
  const Spread spread = parse_spread(setting.name, value);
  if (spread.map && (spread.count || spread.node))
    return fail(ErrorCode::invalid_input, setting.name, "interrupts.map says it all: interrupts.count and .node cannot be set beside it");
  if (spread.map) return mapped(setting, *spread.map);
  NETSETTLE_ASSIGN(std::vector<CpuId> pool, pool_of(context, setting, spread.node));
  if (pool.empty()) return fail(ErrorCode::unsupported, setting.name, "there is no CPU for interrupts");
  if (spread.count) {
    NETSETTLE_ASSIGN(const std::int64_t count, bounded_number(setting, *spread.count));
    // A number goes with several places; where one has fewer CPUs, all of them take the interrupts.
    pool.resize(std::min(pool.size(), static_cast<std::size_t>(count)));
  }
  Texts texts;
  for (const auto& file : setting.files) texts.push_back(fmt::format("{}", pool[static_cast<std::size_t>(file.part) % pool.size()]));
  return texts;
}

CpuSet union_of(const Texts& lists) {
  CpuSet all;
  for (const auto& list : lists) all.merge(parse_cpu_list(list).value_or(CpuSet()));
  return all;
}

Value spread_value(const SettingContext&, const ResolvedSetting& setting, const Texts& lists) {
  const CpuSet all = union_of(lists);
  if (setting.name == "interrupts.node") {
    const CpuSet& local = setting.local_cpus;
    const auto inside = std::ranges::count_if(all, [&](CpuId cpu) { return local.contains(cpu); });
    return std::string(local.empty() ? "unknown" : inside == 0 ? "remote" : inside == std::ssize(all) ? "local" : "any");
  }
  const bool is_single =
      std::ranges::all_of(lists, [](const std::string& list) { return parse_cpu_list(list).value_or(CpuSet()).size() == 1; });
  if (setting.name == "interrupts.count" && is_single) return static_cast<std::int64_t>(all.size());
  return joined(setting, lists);
}

Expected<std::vector<QueueInterrupt>> interrupts_of(const Nic& nic, const std::string& name) {
  std::vector<QueueInterrupt> found;
  for (const auto& irq : nic.irqs.queues) found.push_back({irq.irq, irq.queue.value_or(static_cast<int>(found.size()))});
  if (found.empty()) return fail(ErrorCode::unsupported, name, nic.device.name + why_none(nic));
  number_queues(found);
  return found;
}

Expected<Nic> nic_of(const SettingContext& context, const std::string& name) {
  NETSETTLE_TRY(check_interface(context));
  auto nic = read_nic(*context.server, context.interface);
  if (!nic) return std::unexpected(Error{nic.error().code, name, to_text(nic.error()), nic.error().errno_value});
  return nic;
}

/// The words that are possible here, each place once: on a machine of one node "any" is the same as "local".
std::vector<std::string> different_places(const SettingContext& context, const ResolvedSetting& setting) {
  std::vector<std::string> words;
  std::set<std::vector<CpuId>> places;
  for (const std::string& word : form_of("interrupts.node").words)
    if (const auto cpus = cpus_at(context, setting, word); cpus && places.insert(*cpus).second) words.push_back(word);
  return words;
}

Expected<ResolvedSetting> find_spread(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(const Nic nic, nic_of(context, name));
  NETSETTLE_ASSIGN(const auto interrupts, interrupts_of(nic, name));
  ResolvedSetting setting;
  setting.scope = SettingScope::device;
  for (const auto& interrupt : interrupts)
    setting.files.push_back({fmt::format("/proc/irq/{}/smp_affinity_list", interrupt.irq), context.host->network_namespace(),
                             Comparator::cpu_list, interrupt.queue});
  if (name == "interrupts.count") {
    const int queues = queues_of(setting);
    setting.largest = std::min<std::int64_t>(queues, std::max<std::int64_t>(1, std::ssize(context.cpus)));
    setting.bound_by = fmt::format("{} queue{} of {} with interrupts, {} CPUs that may be used", queues, queues == 1 ? "" : "s",
                                   context.interface, context.cpus.size());
  }
  setting.local_cpus = local_cpus(*context.server, nic);
  if (name == "interrupts.node") setting.words = different_places(context, setting);
  return setting;
}

}  // namespace

Expected<std::vector<QueueInterrupt>> queue_interrupts(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(const Nic nic, nic_of(context, name));
  return interrupts_of(nic, name);
}

bool is_interrupt_setting(const std::string& name) { return name.starts_with("interrupts."); }

bool has_too_few_cpus(const std::string& name, const std::string& requested, const std::string& effective) {
  const auto wanted = decimal(requested), have = decimal(effective);
  return name == "interrupts.count" && wanted && have && *have < *wanted;
}

std::map<std::string, std::string> with_one_spread(const std::map<std::string, std::string>& wanted) {
  std::map<std::string, std::string> result;
  std::optional<std::string> spread;
  for (const char* word : {"count", "node", "map"}) {
    const auto found = wanted.find(std::string("interrupts.") + word);
    if (found == wanted.end()) continue;
    if (!spread) spread = "";
    if (found->second != kAsFound) *spread += fmt::format("{}{}={}", spread->empty() ? "" : " ", word, found->second);
  }
  for (const auto& [name, value] : wanted)
    if (!is_interrupt_setting(name)) result.emplace(name, value);
  if (spread) result[kInterruptSpread] = spread->empty() ? std::string(kAsFound) : *spread;
  return result;
}

Expected<ResolvedSetting> resolve_managed(const SettingContext& context, const std::string& name) {
  if (name != kInterruptSpread) return resolve_setting(context, name);
  auto setting = resolve_setting(context, "interrupts.count");
  if (setting) setting->name = name;
  return setting;
}

std::map<int, std::uint64_t> interrupt_totals(Host& host) {
  std::map<int, std::uint64_t> totals;
  const auto text = host.read_file("/proc/interrupts");
  const auto table = text ? parse_interrupts(*text) : Expected<Interrupts>(std::unexpected(text.error()));
  if (!table) return totals;
  for (const auto& [irq, row] : table->irqs) totals[irq] = std::accumulate(row.counts.begin(), row.counts.end(), std::uint64_t{0});
  return totals;
}

std::vector<int> astray(Host& host, const ResolvedSetting& spread, const std::map<int, std::uint64_t>& before) {
  const auto now = interrupt_totals(host);
  std::vector<int> found;
  for (const auto& file : spread.files) {
    const std::string folder = file.path.substr(0, file.path.rfind('/'));
    const int irq = number_in(folder);
    const auto first = before.find(irq), last = now.find(irq);
    const bool has_come = first != before.end() && last != now.end() && last->second > first->second + kFewToMove;
    const CpuSet effective = cpus_in(host, folder + "/effective_affinity_list");  // empty where the kernel does not tell
    if (has_come && !std::ranges::includes(cpus_in(host, file.path), effective)) found.push_back(irq);
  }
  return found;
}

Family interrupt_settings() { return {"interrupts.", find_spread, spread_texts, spread_value, joined}; }

}  // namespace netsettle::runners
