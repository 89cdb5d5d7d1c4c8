// CPUs, firmware, memory, and how the CPUs save power.

#include <sys/utsname.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu/";

void add_processor(FactReader& reader) {
  if (utsname name{}; uname(&name) == 0) reader.note("architecture", name.machine);
  const auto cpuinfo = reader.text("/proc/cpuinfo");
  if (!cpuinfo) return;
  reader.note("cpu_model", field_of(*cpuinfo, "model name").value_or(""));
  reader.note("cpu_microcode", field_of(*cpuinfo, "microcode").value_or(""));
  const auto family = field_of(*cpuinfo, "cpu family"), model = field_of(*cpuinfo, "model"), stepping = field_of(*cpuinfo, "stepping");
  if (family && model && stepping) reader.note("cpu_family", fmt::format("family {} model {} stepping {}", *family, *model, *stepping));
  if (const auto flags = field_of(*cpuinfo, "flags"))
    reader.note("virtual_machine", (" " + *flags + " ").find(" hypervisor ") != std::string::npos ? "yes" : "no");
}

/// What the firmware says of the machine; no serial numbers.
void add_firmware(FactReader& reader) {
  reader.note_line("machine_vendor", "/sys/class/dmi/id/sys_vendor");
  reader.note_line("machine_product", "/sys/class/dmi/id/product_name");
  reader.note_line("firmware_version", "/sys/class/dmi/id/bios_version");
  reader.note_line("hypervisor", "/sys/hypervisor/type");
}

void add_topology(FactReader& reader, const Topology& topology) {
  reader.note("cpus_online", to_cpu_list(topology.online));
  reader.note("cpus_allowed", to_cpu_list(topology.allowed));
  reader.note_line("cpus_isolated", kCpus + std::string("isolated"));
  if (const auto list = reader.line(kCpus + std::string("nohz_full")); list && *list != "(null)") reader.note("cpus_nohz_full", *list);
  reader.note_line("smt", kCpus + std::string("smt/control"));
  reader.note("nodes", std::to_string(std::max<std::size_t>(topology.nodes.size(), 1)));
  if (topology.cores) reader.note("cores", std::to_string(*topology.cores));
  if (topology.packages) reader.note("packages", std::to_string(*topology.packages));
  std::vector<std::string> distances;
  for (const auto& [node, cpus] : topology.nodes)
    if (auto row = reader.line(fmt::format("/sys/devices/system/node/node{}/distance", node))) distances.push_back(std::move(*row));
  reader.note("node_distances", fmt::format("{}", fmt::join(distances, " / ")));
}

void add_memory(FactReader& reader, const Topology& topology) {
  reader.note("ram_bytes", std::to_string(topology.ram_bytes));
  reader.note_choice("transparent_hugepages", "/sys/kernel/mm/transparent_hugepage/enabled");
  const auto meminfo = reader.text("/proc/meminfo");
  const auto pages = meminfo ? field_of(*meminfo, "HugePages_Total") : std::nullopt;
  const auto size = meminfo ? field_of(*meminfo, "Hugepagesize") : std::nullopt;
  if (pages && size) reader.note("hugepages", fmt::format("{} of {}", *pages, *size));
}

/// "performance", or "performance, powersave" where the CPUs differ.
void note_of_all_cpus(FactReader& reader, const Topology& topology, const std::string& name, const std::string& file) {
  std::set<std::string> values;
  for (const CpuId cpu : topology.online)
    if (auto value = reader.line(fmt::format("{}cpu{}/{}", kCpus, cpu, file)); value && !value->empty()) values.insert(std::move(*value));
  reader.note(name, fmt::format("{}", fmt::join(values, ", ")));
}

void add_idle_states(FactReader& reader) {
  const std::string folder = kCpus + std::string("cpu0/cpuidle/");
  std::vector<std::string> states;
  for (const std::string& state : reader.names_in(folder)) {
    const auto name = reader.line(folder + state + "/name");
    const bool disabled = reader.line(folder + state + "/disable").value_or("0") != "0";
    if (name) states.push_back(disabled ? *name + " (off)" : *name);
  }
  reader.note("idle_states", fmt::format("{}", fmt::join(states, ", ")));
}

void add_power(FactReader& reader, const Topology& topology) {
  note_of_all_cpus(reader, topology, "governor", "cpufreq/scaling_governor");
  note_of_all_cpus(reader, topology, "energy_preference", "cpufreq/energy_performance_preference");
  reader.note_line("frequency_driver", kCpus + std::string("cpu0/cpufreq/scaling_driver"));
  reader.note_line("frequency_min_khz", kCpus + std::string("cpu0/cpufreq/scaling_min_freq"));
  reader.note_line("frequency_max_khz", kCpus + std::string("cpu0/cpufreq/scaling_max_freq"));
  reader.note_line("boost", kCpus + std::string("cpufreq/boost"));
  reader.note_line("no_turbo", kCpus + std::string("intel_pstate/no_turbo"));
  reader.note_line("idle_driver", kCpus + std::string("cpuidle/current_driver"));
  reader.note_line("idle_governor", kCpus + std::string("cpuidle/current_governor"));
  add_idle_states(reader);
}

}  // namespace

void add_processor_facts(FactReader& reader, const Topology& topology) {
  add_processor(reader);
  add_firmware(reader);
  add_topology(reader, topology);
  add_memory(reader, topology);
  add_power(reader, topology);
}

}  // namespace netsettle::runners
