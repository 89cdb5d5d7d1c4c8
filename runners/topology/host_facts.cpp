#include "runners/topology/host_facts.hpp"

#include <sys/utsname.h>

#include <algorithm>

#include "datasets/model/configuration.hpp"

namespace netsettle::runners {
namespace {

std::string first_line(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  const auto line = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  return std::string(line.substr(0, line.find_last_not_of(" \t") + 1));
}

/// The value behind "name : value" in /proc/cpuinfo, first processor.
std::optional<std::string> cpuinfo_field(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && line.substr(0, line.find_last_not_of(" \t:", colon) + 1) == name)
      return first_line(line.substr(colon + 1));
    at = end + 1;
  }
  return std::nullopt;
}

/// Whether a process of this name runs, by /proc/N/comm.
bool runs(Host& host, std::string_view name) {
  const auto entries = host.list_directory("/proc");
  if (!entries) return false;
  return std::ranges::any_of(*entries, [&](const std::string& entry) {
    if (entry.empty() || entry.find_first_not_of("0123456789") != std::string::npos) return false;
    const auto comm = host.read_file("/proc/" + entry + "/comm");
    return comm && first_line(*comm) == name;
  });
}

void add_file(HostFacts& facts, Host& host, const std::string& name, const std::string& path) {
  if (const auto text = host.read_file(path))
    if (auto line = first_line(*text); !line.empty()) facts[name] = std::move(line);
}

}  // namespace

HostFacts read_host_facts(Host& host, const Topology& topology) {
  HostFacts facts;
  add_file(facts, host, "kernel_release", "/proc/sys/kernel/osrelease");
  add_file(facts, host, "kernel_version", "/proc/sys/kernel/version");
  add_file(facts, host, "boot_id", "/proc/sys/kernel/random/boot_id");
  add_file(facts, host, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  add_file(facts, host, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (utsname name{}; uname(&name) == 0) facts["architecture"] = name.machine;
  if (const auto cpuinfo = host.read_file("/proc/cpuinfo")) {
    if (const auto model = cpuinfo_field(*cpuinfo, "model name")) facts["cpu_model"] = *model;
    if (const auto flags = cpuinfo_field(*cpuinfo, "flags"))
      facts["virtual_machine"] = flags->find(" hypervisor") != std::string::npos ? "yes" : "no";
  }
  facts["cpus_online"] = to_cpu_list(topology.online);
  facts["cpus_allowed"] = to_cpu_list(topology.allowed);
  facts["ram_bytes"] = std::to_string(topology.ram_bytes);
  facts["nodes"] = std::to_string(std::max<std::size_t>(topology.nodes.size(), 1));
  if (topology.cores) facts["cores"] = std::to_string(*topology.cores);
  if (topology.packages) facts["packages"] = std::to_string(*topology.packages);
  facts["irqbalance"] = runs(host, "irqbalance") ? "running" : "not running";
  return facts;
}

std::optional<std::string> program_version(Host& host, const std::vector<std::string>& argv) {
  const auto finished = run_program(host, {.argv = argv}, std::chrono::seconds(5));
  if (!finished) return std::nullopt;
  // dnsperf -h prints its banner on standard output and exits with 1: the exit status says nothing here.
  for (const std::string* text : {&finished->standard_output, &finished->standard_error})
    for (std::size_t at = 0; at < text->size();) {
      const auto end = std::min(text->find('\n', at), text->size());
      const auto line = std::string_view(*text).substr(at, end - at);
      if (line.find("ersion") != std::string_view::npos || line.starts_with("ip utility")) return first_line(line);
      at = end + 1;
    }
  auto line = first_line(finished->standard_output);
  return line.empty() ? std::nullopt : std::optional(std::move(line));
}

std::string fingerprint(const HostFacts& facts) {
  std::string text;
  for (const char* name : {"architecture", "cpu_model", "cpus_online", "cores", "packages", "nodes"})
    if (const auto fact = facts.find(name); fact != facts.end()) text += fact->first + "=" + fact->second + "\n";
  return sha256_hex(text);
}

std::string boot_id(Host& host) {
  const auto text = host.read_file("/proc/sys/kernel/random/boot_id");
  return text ? first_line(*text) : std::string();
}

}  // namespace netsettle::runners
