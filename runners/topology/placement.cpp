#include "runners/topology/placement.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/cpu_place.hpp"
#include "datasets/model/setting_form.hpp"

namespace netsettle::runners {
namespace {

/// From this many on server and load do not share CPUs.
constexpr std::size_t kEnoughToSeparate = 4;
/// From this many on netsettle keeps one for itself.
constexpr std::size_t kEnoughToReserve = 8;

CpuSet without(const CpuSet& cpus, const CpuSet& removed) {
  CpuSet rest;
  std::ranges::set_difference(cpus, removed, std::inserter(rest, rest.end()));
  return rest;
}

/// The list where all of it may be used here.
Expected<CpuSet> usable_list(const Topology& topology, const std::string& key, const CpuSet& cpus) {
  for (const CpuId cpu : cpus) {
    if (topology.reserved.contains(cpu))
      return fail(ErrorCode::invalid_input, key, fmt::format("CPU {} is kept for netsettle itself (rig.reserved_cpus)", cpu));
    if (!topology.allowed.contains(cpu))
      return fail(ErrorCode::invalid_input, key,
                  fmt::format("CPU {} is not available here (available: {})", cpu, to_cpu_list(topology.allowed)));
  }
  return cpus;
}

// ---- cores and nodes ---------------------------------------------------------------------------

/// Where a CPU is, counted among some CPUs.
struct Seat {
  int node = 0;
  int core = 0;    // 0, 1, … within the node
  int thread = 0;  // 0, 1, … within the core
  CpuId cpu = 0;
};

int node_of(const Topology& topology, CpuId cpu) {
  for (const auto& [node, cpus] : topology.nodes)
    if (cpus.contains(cpu)) return node;
  return 0;
}

CpuId core_of(const Topology& topology, CpuId cpu) {
  const auto core = topology.core_of.find(cpu);
  return core == topology.core_of.end() ? cpu : core->second;
}

std::vector<Seat> seats_of(const Topology& topology, const CpuSet& cpus) {
  std::map<std::pair<int, CpuId>, CpuSet> cores;
  for (const CpuId cpu : cpus) cores[{node_of(topology, cpu), core_of(topology, cpu)}].insert(cpu);
  std::map<int, int> seen;  // cores, by node
  std::vector<Seat> seats;
  for (const auto& [place, threads] : cores) {
    const int core = seen[place.first]++;
    int thread = 0;
    for (const CpuId cpu : threads) seats.push_back({place.first, core, thread++, cpu});
  }
  return seats;
}

template <typename Order>
std::vector<CpuId> in_order(std::vector<Seat> seats, Order order) {
  std::ranges::sort(seats, {}, order);
  std::vector<CpuId> cpus;
  for (const Seat& seat : seats) cpus.push_back(seat.cpu);
  return cpus;
}

/// Node after node, in each the first threads of all cores before the second ones.
std::vector<CpuId> packed(const std::vector<Seat>& seats) {
  return in_order(seats, [](const Seat& seat) { return std::tuple(seat.node, seat.thread, seat.core); });
}

/// The last whole cores of some CPUs, as many as `enough` says of those taken so far.
template <typename Enough>
CpuSet last_cores(const Topology& topology, const CpuSet& cpus, Enough enough) {
  std::map<CpuId, CpuSet> cores;
  for (const CpuId cpu : cpus) cores[core_of(topology, cpu)].insert(cpu);
  CpuSet taken;
  int count = 0;
  for (auto core = cores.rbegin(); core != cores.rend() && !enough(taken, count); ++core, ++count)
    taken.insert(core->second.begin(), core->second.end());
  return taken;
}

// ---- the load ----------------------------------------------------------------------------------

/// The CPUs of a list in server.placement; empty for a word.
CpuSet listed(const ServerSection& server) {
  const auto& words = placement_words();
  if (std::ranges::find(words, server.placement) != words.end()) return {};
  return parse_cpu_list(server.placement).value_or(CpuSet());
}

CpuSet automatic_load(const CpuSet& allowed, const Topology& topology, const ServerSection& server) {
  const std::size_t all = allowed.size();
  const std::size_t wanted = all >= kEnoughToSeparate ? (all + topology.reserved.size()) / 4 : 1;
  const CpuSet beside = all >= kEnoughToSeparate ? without(allowed, listed(server)) : allowed;
  return last_cores(topology, beside.size() >= wanted ? beside : allowed,
                    [wanted](const CpuSet& taken, int) { return taken.size() >= wanted; });
}

template <typename Map>
std::string keys_of(const Map& map) {
  CpuSet keys;
  for (const auto& [key, value] : map) keys.insert(key);
  return to_cpu_list(keys);
}

Expected<CpuSet> part_of_machine(const Topology& topology, const CpuPlace& place) {
  if (place.node) {
    const auto node = topology.nodes.find(*place.node);
    if (node != topology.nodes.end()) return node->second;
    return fail(ErrorCode::invalid_input, "load.cpus",
                topology.nodes.empty() ? fmt::format("there is no node {}: this machine has no NUMA", *place.node)
                                       : fmt::format("there is no node {}; there are: {}", *place.node, keys_of(topology.nodes)));
  }
  if (!place.package) return topology.allowed;
  CpuSet cpus, packages;
  for (const auto& [cpu, package] : topology.package_of) {
    packages.insert(package);
    if (package == *place.package) cpus.insert(cpu);
  }
  if (!cpus.empty()) return cpus;
  return fail(ErrorCode::invalid_input, "load.cpus",
              packages.empty()
                  ? fmt::format("package:{}: this machine does not say which CPUs are in which package", *place.package)
                  : fmt::format("there is no package {} with CPUs that may be used; there are: {}", *place.package, to_cpu_list(packages)));
}

Expected<CpuSet> placed(const Topology& topology, const CpuPlace& place) {
  if (!place.list.empty()) return usable_list(topology, "load.cpus", place.list);
  NETSETTLE_ASSIGN(const CpuSet part, part_of_machine(topology, place));
  const CpuSet usable = intersection(part, topology.allowed);
  if (usable.empty())
    return fail(ErrorCode::invalid_input, "load.cpus",
                fmt::format("{}: none of its CPUs ({}) may be used here (available: {})", to_text(place),
                            part.empty() ? "none" : to_cpu_list(part), to_cpu_list(topology.allowed)));
  if (!place.cores) return usable;
  CpuSet cores;
  for (const CpuId cpu : usable) cores.insert(core_of(topology, cpu));
  if (std::ssize(cores) < *place.cores)
    return fail(ErrorCode::invalid_input, "load.cpus",
                fmt::format("{}: there {} {} core{} (CPUs {})", to_text(place), cores.size() == 1 ? "is" : "are", cores.size(),
                            cores.size() == 1 ? "" : "s", to_cpu_list(usable)));
  return last_cores(topology, usable, [&place](const CpuSet&, int count) { return count >= *place.cores; });
}

// ---- the server --------------------------------------------------------------------------------

std::unexpected<Error> cannot(const std::string& word, std::string reason) {
  return fail(ErrorCode::unsupported, "server.placement", fmt::format("\"{}\" cannot be had here: {}", word, reason));
}

/// The CPUs near the interface, or away from it.
Expected<CpuSet> by_interface(const Topology& topology, const std::string& word, const InterfacePlace& interface) {
  if (topology.nodes.size() <= 1) return cannot(word, "this machine has one NUMA node, so all CPUs are equally near");
  if (interface.local.empty())
    return cannot(word, interface.why_unknown.empty() ? "it is not known which CPUs are near the interface" : interface.why_unknown);
  const CpuSet cpus = word == "nic-node" ? intersection(topology.allowed, interface.local) : without(topology.allowed, interface.local);
  if (cpus.empty())
    return cannot(word, fmt::format("no CPU that may be used ({}) is {}", to_cpu_list(topology.allowed),
                                    word == "nic-node" ? "near the interface" : "away from the interface"));
  return cpus;
}

std::optional<std::string> why_no_threads(const Topology& topology) {
  if (topology.core_of.empty()) return "this machine does not say which CPUs share a core";
  std::set<CpuId> cores;
  for (const auto& [cpu, core] : topology.core_of)
    if (topology.allowed.contains(cpu) && !cores.insert(core).second) return std::nullopt;
  return "no core here has two hardware threads that may be used: \"spread\" and \"pack\" say all there is to say";
}

/// Those that are not the load's, where there are enough.
Expected<CpuSet> beside_load(const Topology& topology, const std::string& word, const CpuSet& cpus, const CpuSet& load) {
  if (topology.allowed.size() < kEnoughToSeparate) return cpus;
  const CpuSet rest = without(cpus, load);
  if (!rest.empty()) return rest;
  return cannot(word, fmt::format("load.cpus takes all of its CPUs ({})", to_cpu_list(cpus)));
}

std::vector<CpuId> in_word_order(const std::vector<Seat>& seats, const std::string& word) {
  if (word == "spread") return in_order(seats, [](const Seat& seat) { return std::tuple(seat.thread, seat.core, seat.node); });
  if (word == "siblings") return in_order(seats, [](const Seat& seat) { return std::tuple(seat.node, seat.core, seat.thread); });
  return packed(seats);
}

Expected<std::vector<CpuId>> placed_by_word(const Topology& topology, const std::string& word, const CpuSet& load,
                                            const InterfacePlace& interface) {
  CpuSet cpus = topology.allowed;
  if (word == "nic-node" || word == "remote-node") {
    NETSETTLE_ASSIGN(cpus, by_interface(topology, word, interface));
  }
  if (word == "siblings" || word == "one-per-core")
    if (auto reason = why_no_threads(topology)) return cannot(word, std::move(*reason));
  NETSETTLE_ASSIGN(cpus, beside_load(topology, word, cpus, load));
  std::vector<Seat> seats = seats_of(topology, cpus);
  if (word == "one-per-core") std::erase_if(seats, [](const Seat& seat) { return seat.thread > 0; });
  return in_word_order(seats, word);
}

Expected<std::vector<CpuId>> placed_by_list(const Topology& topology, const std::string& text, const CpuSet& load) {
  const std::string key = "server.placement";
  const auto list = parse_cpu_list(text);
  if (!list || list->empty())
    return fail(ErrorCode::invalid_input, key,
                fmt::format("\"{}\" is neither a CPU list (like 0-3) nor one of {}", text, fmt::join(placement_words(), ", ")));
  NETSETTLE_ASSIGN(const CpuSet cpus, usable_list(topology, key, *list));
  const CpuSet common = intersection(cpus, load);
  if (!common.empty() && topology.allowed.size() >= kEnoughToSeparate)
    return fail(
        ErrorCode::invalid_input, key,
        fmt::format("the CPUs {} are the load's too: give load.cpus others of {}", to_cpu_list(common), to_cpu_list(topology.allowed)));
  return std::vector<CpuId>(cpus.begin(), cpus.end());
}

}  // namespace

InterfacePlace place_of(const Nic& nic) {
  const std::string& name = nic.device.name;
  if (nic.node_source == NodeSource::unknown)
    return {{}, fmt::format("the kernel does not know which node {} is near (its numa_node is -1)", name)};
  if (!nic.placement_fallback) return {nic.placement_cpus, ""};
  if (nic.local_cpus && !nic.local_cpus->empty())
    return {{}, fmt::format("none of the CPUs near {} ({}) may be used here", name, to_cpu_list(*nic.local_cpus))};
  if (nic.device.kind == NicKind::virtual_) return {{}, fmt::format("{} is a virtual device, which is near no node", name)};
  return {{}, fmt::format("the kernel does not say which CPUs are near {}", name)};
}

Expected<void> reserve_cpus(Topology& topology, const std::string& reserved, const CpuSet& near_interface) {
  CpuSet taken;
  if (reserved == "auto") {
    if (topology.allowed.size() < kEnoughToReserve) return {};
    const CpuSet away = without(topology.allowed, near_interface);
    taken.insert(*(away.empty() ? topology.allowed : away).rbegin());
  } else if (reserved != "none") {
    NETSETTLE_ASSIGN(const CpuSet list, parse_cpu_list(reserved));
    NETSETTLE_ASSIGN(taken, usable_list(topology, "rig.reserved_cpus", list));
  }
  CpuSet left = without(topology.allowed, taken);
  if (left.empty())
    return fail(ErrorCode::invalid_input, "rig.reserved_cpus",
                fmt::format("nothing is left of the CPUs that may be used ({}): reserve fewer", to_cpu_list(topology.allowed)));
  topology.allowed = std::move(left);
  topology.reserved = std::move(taken);
  std::erase_if(topology.core_of, [&](const auto& entry) { return !topology.allowed.contains(entry.first); });
  std::erase_if(topology.package_of, [&](const auto& entry) { return !topology.allowed.contains(entry.first); });
  return {};
}

Expected<CpuSet> place_load(const Topology& topology, const LoadSection& load, const ServerSection& server) {
  if (load.cpus == "auto") return automatic_load(topology.allowed, topology, server);
  auto place = parse_cpu_place(load.cpus);
  if (place) return placed(topology, *place);
  place.error().subject = "load.cpus";
  return std::unexpected(std::move(place.error()));
}

Expected<std::vector<CpuId>> place_server(const Topology& topology, const ServerSection& server, const CpuSet& load,
                                          const InterfacePlace& interface) {
  const auto& words = placement_words();
  if (std::ranges::find(words, server.placement) == words.end()) return placed_by_list(topology, server.placement, load);
  return placed_by_word(topology, server.placement, load, interface);
}

Expected<Placement> place(const Topology& topology, const ServerSection& server, const LoadSection& load, const Topology* client,
                          const InterfacePlace& interface) {
  Placement placement;
  if (client == nullptr || load.cpus != "auto") {
    auto cpus = place_load(client == nullptr ? topology : *client, load, server);
    if (!cpus && client != nullptr) cpus.error().text += " (on the client)";
    NETSETTLE_ASSIGN(placement.load, std::move(cpus));
  }
  NETSETTLE_ASSIGN(placement.server, place_server(topology, server, client == nullptr ? placement.load : CpuSet(), interface));
  placement.rps.assign(topology.allowed.begin(), topology.allowed.end());
  return placement;
}

}  // namespace netsettle::runners
