#include "runners/topology/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"
#include "runners/probes/text_lines.hpp"
#include "runners/topology/cpu_survey.hpp"
#include "runners/topology/nic.hpp"

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

std::optional<int> number_in(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  return text ? whole_number<int>(trimmed(*text)) : std::nullopt;
}

/// The hardware threads that share a core with the CPU: kernels before 5.3 have the second file only.
std::optional<CpuSet> siblings_of(Host& host, const std::string& folder) {
  for (const char* name : {"core_cpus_list", "thread_siblings_list"})
    if (auto cpus = read_cpu_list_file(host, folder + name); cpus && !cpus->empty()) return cpus;
  return std::nullopt;
}

/// Which core and package each allowed CPU belongs to; nothing where one CPU does not say it.
void add_cores(Host& host, Topology& topology) {
  std::map<CpuId, CpuId> core_of;
  std::map<CpuId, int> package_of;
  std::map<std::pair<int, int>, CpuId> first_of;  // by package and number of the core
  for (const CpuId cpu : topology.allowed) {
    const std::string folder = fmt::format("{}cpu{}/topology/", kCpuFolder, cpu);
    const auto package = number_in(host, folder + "physical_package_id");
    if (!package) return;
    package_of[cpu] = *package;
    if (const auto siblings = siblings_of(host, folder)) {
      core_of[cpu] = *siblings->begin();
    } else {
      const auto core = number_in(host, folder + "core_id");
      if (!core) return;
      core_of[cpu] = first_of.emplace(std::pair(*package, *core), cpu).first->second;
    }
  }
  topology.core_of = std::move(core_of);
  topology.package_of = std::move(package_of);
}

template <typename Map>
int count_values(const Map& map) {
  std::set<typename Map::mapped_type> values;
  for (const auto& [key, value] : map) values.insert(value);
  return static_cast<int>(values.size());
}

/// Nodes that have memory, of those that netsettle's control group may take it from.
std::set<int> memory_nodes(Host& host, const std::map<int, CpuSet>& nodes) {
  std::set<int> result;
  if (auto with_memory = read_cpu_list_file(host, "/sys/devices/system/node/has_memory"); with_memory && !with_memory->empty())
    result = std::move(*with_memory);
  else
    for (const auto& [node, cpus] : nodes) result.insert(node);
  const auto status = host.read_file("/proc/self/status");
  const auto list = status ? field(*status, "Mems_allowed_list") : std::nullopt;
  const auto allowed = list ? parse_cpu_list(*list) : Expected<CpuSet>(CpuSet());
  return list && allowed && !allowed->empty() ? intersection(result, *allowed) : result;
}

}  // namespace

Expected<Topology> read_topology(Host& host) {
  Topology topology;
  NETSETTLE_ASSIGN(const CpuSurvey survey, read_cpu_survey(host));
  topology.online = survey.online;
  topology.allowed = survey.allowed;
  if (topology.allowed.empty()) return fail(ErrorCode::unsupported, "CPUs", "no CPU is left for a study: all are isolated or forbidden");
  add_cores(host, topology);
  if (!topology.core_of.empty()) topology.cores = count_values(topology.core_of);
  if (!topology.package_of.empty()) topology.packages = count_values(topology.package_of);
  topology.nodes = read_nodes(host);
  topology.memory_nodes = memory_nodes(host, topology.nodes);
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
  const CpuSet& allowed = topology.allowed;
  facts["cpus"] = static_cast<double>(allowed.size());
  facts["nodes"] = static_cast<double>(std::max<std::size_t>(topology.nodes.size(), 1));
  facts["ram"] = static_cast<double>(topology.ram_bytes);
  if (topology.cores) facts["cores"] = *topology.cores;
  const auto nic = read_nic(server, interface);
  const CpuSet local = nic ? intersection(nic->placement_cpus, allowed) : CpuSet();
  facts["node_cpus"] = static_cast<double>(local.empty() ? allowed.size() : local.size());
  if (nic && !nic->device.device.empty())
    if (const auto mbps = number_in(server, nic->device.folder + "/speed"); mbps && *mbps > 0) facts["link_gbps"] = *mbps / 1000.0;
  if (const auto queues = server.list_directory("/sys/class/net/" + interface + "/queues")) {
    const auto receive = std::ranges::count_if(*queues, [](const std::string& name) { return name.starts_with("rx-"); });
    if (receive > 0) facts["queues"] = static_cast<double>(receive);
  }
  return facts;
}

}  // namespace netsettle::runners
