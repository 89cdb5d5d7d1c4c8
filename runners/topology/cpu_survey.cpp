#include "runners/topology/cpu_survey.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"
#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

const std::string kCpuFolder = "/sys/devices/system/cpu/";
const std::string kNodeFolder = "/sys/devices/system/node";

std::optional<CpuSet> own_affinity(Host& host) {
  const auto status = host.read_file("/proc/self/status");
  if (!status) return std::nullopt;
  const auto list = field_of(*status, "Cpus_allowed_list"), mask = field_of(*status, "Cpus_allowed");
  if (!list && !mask) return std::nullopt;
  const auto cpus = list ? parse_cpu_list(*list) : parse_cpu_mask(*mask);
  return cpus ? std::optional(*cpus) : std::nullopt;
}

/// The CPUs that a folder has entries for: "cpu0", "cpu12".
CpuSet numbered_cpus(Host& host, const std::string& folder) {
  constexpr std::string_view kCpu = "cpu";
  CpuSet cpus;
  for (const std::string& name : host.list_directory(folder).value_or(std::vector<std::string>()))
    if (const auto cpu = name.starts_with(kCpu) ? whole_number<std::uint16_t>(name.substr(kCpu.size())) : std::nullopt) cpus.insert(*cpu);
  return cpus;
}

}  // namespace

CpuSet intersection(const CpuSet& a, const CpuSet& b) {
  CpuSet result;
  std::ranges::set_intersection(a, b, std::inserter(result, result.end()));
  return result;
}

std::optional<CpuSet> read_cpu_list_file(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  if (!text) return std::nullopt;
  const auto cpus = parse_cpu_list(*text);
  return cpus ? std::optional(*cpus) : std::nullopt;
}

Expected<CpuSurvey> read_cpu_survey(Host& host) {
  CpuSurvey survey;
  NETSETTLE_ASSIGN(const std::string online, host.read_file(kCpuFolder + "online"));
  NETSETTLE_ASSIGN(survey.online, parse_cpu_list(online));
  survey.possible = read_cpu_list_file(host, kCpuFolder + "possible");
  survey.present = read_cpu_list_file(host, kCpuFolder + "present");
  survey.isolated = read_cpu_list_file(host, kCpuFolder + "isolated");
  survey.nohz_full = read_cpu_list_file(host, kCpuFolder + "nohz_full");
  survey.cpuset = read_cpuset(host);
  survey.affinity = own_affinity(host);
  survey.allowed = survey.online;
  for (const auto* limit : {&survey.cpuset, &survey.affinity})
    if (*limit) survey.allowed = intersection(survey.allowed, **limit);
  for (const CpuId cpu : survey.isolated.value_or(CpuSet())) survey.allowed.erase(cpu);
  return survey;
}

std::map<int, CpuSet> read_nodes(Host& host) {
  constexpr std::string_view kNode = "node";
  std::map<int, CpuSet> nodes;
  const auto names = host.list_directory(kNodeFolder);
  if (!names) return nodes;
  for (const std::string& name : *names) {
    const auto node = name.starts_with(kNode) ? whole_number<std::uint16_t>(name.substr(kNode.size())) : std::nullopt;
    if (!node) continue;
    const std::string folder = fmt::format("{}/{}", kNodeFolder, name);
    auto cpus = read_cpu_list_file(host, folder + "/cpulist");
    if (!cpus) continue;
    cpus->merge(numbered_cpus(host, folder));
    nodes[*node] = std::move(*cpus);
  }
  return nodes;
}

}  // namespace netsettle::runners
