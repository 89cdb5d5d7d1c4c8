#include "runners/topology/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "runners/topology/cpu_survey.hpp"

namespace netsettle::runners {
namespace {

const std::string kCpuFolder = "/sys/devices/system/cpu/";

/// The rest of the line "Name:   rest" in a status file.
std::optional<std::string> field(std::string_view text, std::string_view name) {
  const std::string start = std::string(name) + ":";
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    if (line.starts_with(start)) return std::string(line.substr(start.size()));
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<std::int64_t> first_number(std::string_view text) {
  const auto begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return status == std::errc() ? std::optional(number) : std::nullopt;
}

/// Physical cores and packages among `cpus`, from the topology files; nullopt where one is missing.
std::optional<std::pair<int, int>> count_cores(Host& host, const CpuSet& cpus) {
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  std::set<std::int64_t> packages;
  for (const CpuId cpu : cpus) {
    const std::string folder = fmt::format("{}cpu{}/topology/", kCpuFolder, cpu);
    const auto core = host.read_file(folder + "core_id");
    const auto package = host.read_file(folder + "physical_package_id");
    if (!core || !package) return std::nullopt;
    const auto core_id = first_number(*core), package_id = first_number(*package);
    if (!core_id || !package_id) return std::nullopt;
    cores.insert({*package_id, *core_id});
    packages.insert(*package_id);
  }
  return std::pair{static_cast<int>(cores.size()), static_cast<int>(packages.size())};
}

}  // namespace

Expected<Topology> read_topology(Host& host) {
  Topology topology;
  NETSETTLE_ASSIGN(const CpuSurvey survey, read_cpu_survey(host));
  topology.online = survey.online;
  topology.allowed = survey.allowed;
  if (topology.allowed.empty()) return fail(ErrorCode::unsupported, "CPUs", "no CPU is left for a study: all are isolated or forbidden");
  if (const auto counted = count_cores(host, topology.allowed)) std::tie(topology.cores, topology.packages) = *counted;
  topology.nodes = read_nodes(host);
  if (const auto memory = host.read_file("/proc/meminfo"))
    if (const auto line = field(*memory, "MemTotal")) topology.ram_bytes = first_number(*line).value_or(0) * 1024;
  return topology;
}

void add_live_details(Topology& topology) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return;
  const std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)> tree(raw, hwloc_topology_destroy);
  if (hwloc_topology_load(tree.get()) != 0) return;
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> allowed(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (!allowed) return;
  for (const CpuId cpu : topology.allowed) hwloc_bitmap_set(allowed.get(), static_cast<unsigned>(cpu));
  const auto count = [&](hwloc_obj_type_t type) -> std::optional<int> {
    int covering = 0;
    const int all = hwloc_get_nbobjs_by_type(tree.get(), type);
    for (int i = 0; i < all; ++i) {
      const auto* object = hwloc_get_obj_by_type(tree.get(), type, static_cast<unsigned>(i));
      if (object->cpuset && hwloc_bitmap_intersects(object->cpuset, allowed.get())) ++covering;
    }
    return covering > 0 ? std::optional(covering) : std::nullopt;
  };
  if (const auto cores = count(HWLOC_OBJ_CORE)) topology.cores = cores;
  if (const auto packages = count(HWLOC_OBJ_PACKAGE)) topology.packages = packages;
}

Facts facts_of(const Topology& topology, Host& server, const std::string& interface) {
  Facts facts;
  facts["cpus"] = static_cast<double>(topology.allowed.size());
  facts["nodes"] = static_cast<double>(std::max<std::size_t>(topology.nodes.size(), 1));
  facts["ram"] = static_cast<double>(topology.ram_bytes);
  if (topology.cores) facts["cores"] = *topology.cores;
  // A virtual interface has no node: its CPUs are all allowed ones.
  facts["node_cpus"] = facts["cpus"];
  if (const auto queues = server.list_directory("/sys/class/net/" + interface + "/queues")) {
    const auto receive = std::ranges::count_if(*queues, [](const std::string& name) { return name.starts_with("rx-"); });
    if (receive > 0) facts["queues"] = static_cast<double>(receive);
  }
  return facts;
}

namespace {

Expected<CpuSet> allowed_list(const Topology& topology, const std::string& key, const std::string& list) {
  const auto cpus = parse_cpu_list(list);
  if (!cpus || cpus->empty())
    return fail(ErrorCode::invalid_input, key, fmt::format("'{}' is neither a known word nor a CPU list (like 0-3,8)", list));
  for (const CpuId cpu : *cpus)
    if (!topology.allowed.contains(cpu))
      return fail(ErrorCode::invalid_input, key,
                  fmt::format("CPU {} is not available here (available: {})", cpu, to_cpu_list(topology.allowed)));
  return *cpus;
}

CpuSet automatic_load_cpus(const CpuSet& allowed) {
  const std::size_t all = allowed.size();
  const std::size_t taken = all >= 4 ? all / 4 : 1;
  return CpuSet(std::prev(allowed.end(), static_cast<std::ptrdiff_t>(taken)), allowed.end());
}

}  // namespace

Expected<Placement> place(const Topology& topology, const ServerSection& server, const LoadSection& load, const Topology* client) {
  Placement placement;
  if (client != nullptr) {
    if (load.cpus != "auto" && load.cpus != "all") {
      NETSETTLE_ASSIGN(placement.load, allowed_list(*client, "load.cpus", load.cpus));
    }
  } else if (load.cpus == "auto") {
    placement.load = automatic_load_cpus(topology.allowed);
  } else if (load.cpus == "all") {
    placement.load = topology.allowed;
  } else {
    NETSETTLE_ASSIGN(placement.load, allowed_list(topology, "load.cpus", load.cpus));
  }
  CpuSet server_cpus = topology.allowed;
  if (server.placement != "spread" && server.placement != "pack") {
    NETSETTLE_ASSIGN(server_cpus, allowed_list(topology, "server.placement", server.placement));
  } else if (client == nullptr && topology.allowed.size() >= 4) {
    CpuSet rest;
    std::ranges::set_difference(topology.allowed, placement.load, std::inserter(rest, rest.end()));
    if (!rest.empty()) server_cpus = rest;
  }
  placement.server.assign(server_cpus.begin(), server_cpus.end());
  placement.rps.assign(topology.allowed.begin(), topology.allowed.end());
  return placement;
}

}  // namespace netsettle::runners
