#include "runners/topology/host_facts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "datasets/model/configuration.hpp"
#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

constexpr std::array kIdentity = {"architecture", "cpu_model", "cpus_online", "cores", "packages", "nodes"};
constexpr std::array kMoment = {"boot_id", "uptime_s", "load_average"};

bool is_moment(const std::string& fact) {
  return std::ranges::find(kMoment, fact) != kMoment.end() || (fact.starts_with("nic.") && fact.ends_with(".interrupts"));
}

std::string text_in(const HostFacts& facts, const std::string& name) {
  const auto fact = facts.find(name);
  return fact == facts.end() ? std::string() : fact->second;
}

}  // namespace

HostFacts read_host_facts(Host& host, const Topology& topology) {
  HostFacts facts;
  FactReader reader(host, facts);
  add_processor_facts(reader, topology);
  add_kernel_facts(reader);
  add_sysctl_facts(reader);
  add_network_facts(reader);
  add_surroundings(reader);
  return facts;
}

HostFacts facts_from_json(std::string_view json) {
  HostFacts facts;
  const auto object = nlohmann::json::parse(json, nullptr, false);
  if (!object.is_object()) return facts;
  for (const auto& [name, value] : object.items())
    if (value.is_string()) facts.emplace(name, value.get<std::string>());
  return facts;
}

FactRole role_of(const std::string& fact) {
  if (std::ranges::find(kIdentity, fact) != kIdentity.end()) return FactRole::identity;
  return is_moment(fact) ? FactRole::moment : FactRole::environment;
}

std::vector<FactChange> changed_facts(const HostFacts& before, const HostFacts& now, FactRole role) {
  std::vector<FactChange> changes;
  for (const auto& [name, value] : before)
    if (role_of(name) == role && text_in(now, name) != value) changes.push_back({name, value, text_in(now, name)});
  if (role != FactRole::identity) return changes;
  for (const auto& [name, value] : now)
    if (role_of(name) == role && !before.contains(name)) changes.push_back({name, "", value});
  return changes;
}

std::string to_text(const std::vector<FactChange>& changes) {
  std::vector<std::string> parts;
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("unknown") : value; };
  for (const FactChange& change : changes)
    parts.push_back(fmt::format("{} was {} and is {}", change.fact, shown(change.before), shown(change.now)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::optional<std::string> program_version(Host& host, const std::vector<std::string>& argv) {
  const auto finished = run_program(host, {.argv = argv}, std::chrono::seconds(5));
  if (!finished) return std::nullopt;
  // dnsperf -h prints its banner on standard output and exits with 1: the exit status says nothing here.
  for (const std::string* text : {&finished->standard_output, &finished->standard_error})
    for (const std::string& line : lines_of(*text))
      if (line.find("ersion") != std::string::npos || line.starts_with("ip utility")) return line;
  for (const std::string* text : {&finished->standard_output, &finished->standard_error})  // ssh -V says "OpenSSH_9.2p1 …" on the latter
    if (auto line = first_line(*text); !line.empty() && (text == &finished->standard_output || finished->status.ok())) return line;
  return std::nullopt;
}

std::string fingerprint(const HostFacts& facts) {
  std::string text;
  for (const char* name : kIdentity)
    if (const auto fact = facts.find(name); fact != facts.end()) text += fact->first + "=" + fact->second + "\n";
  return sha256_hex(text);
}

std::string boot_id(Host& host) {
  const auto text = host.read_file("/proc/sys/kernel/random/boot_id");
  return text ? first_line(*text) : std::string();
}

}  // namespace netsettle::runners
