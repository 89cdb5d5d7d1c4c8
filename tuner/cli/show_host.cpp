#include "tuner/cli/show_host.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runners/topology/host_facts.hpp"

namespace netsettle::tuner {
namespace {

using runners::HostFacts;

constexpr const char* kIdentity = "Machine: with another value here it is another machine";
constexpr const char* kOther = "Programs and placement";

struct Group {
  const char* prefix;  // of the facts' names
  const char* title;
};
/// In the order in which they are shown; the first that fits takes the fact.
constexpr std::array kGroups = {Group{"mitigation.", "Guards against faults of the CPUs"},
                                Group{"nic.", "Network interfaces"},
                                Group{"queueing_disciplines", "Network interfaces"},
                                Group{"xdp_interfaces", "Network interfaces"},
                                Group{"packet_filter", "Network interfaces"},
                                Group{"sysctl", "Kernel settings"},
                                Group{"limit.", "Limits and services"},
                                Group{"cgroup.", "Limits and services"},
                                Group{"container", "Limits and services"},
                                Group{"kernel_", "Kernel"},
                                Group{"boot_", "Kernel"},
                                Group{"clocksource", "Kernel"},
                                Group{"cpu", "CPUs, memory, power"},
                                Group{"governor", "CPUs, memory, power"},
                                Group{"frequency_", "CPUs, memory, power"},
                                Group{"idle_", "CPUs, memory, power"},
                                Group{"energy_", "CPUs, memory, power"},
                                Group{"boost", "CPUs, memory, power"},
                                Group{"no_turbo", "CPUs, memory, power"},
                                Group{"smt", "CPUs, memory, power"},
                                Group{"node_distances", "CPUs, memory, power"},
                                Group{"ram_bytes", "CPUs, memory, power"},
                                Group{"hugepages", "CPUs, memory, power"},
                                Group{"transparent_", "CPUs, memory, power"},
                                Group{"virtual_machine", "CPUs, memory, power"},
                                Group{"machine_", "CPUs, memory, power"},
                                Group{"firmware_", "CPUs, memory, power"},
                                Group{"hypervisor", "CPUs, memory, power"},
                                Group{"uptime_s", "Limits and services"},
                                Group{"load_average", "Limits and services"}};
constexpr std::array kServices = {"irqbalance",     "tuned",    "tuned_profile", "bpftune", "network_manager",  "systemd_networkd",
                                  "power_profiles", "thermald", "chronyd",       "ntpd",    "systemd_timesyncd"};
constexpr std::array kTitles = {
    kIdentity,         "CPUs, memory, power", "Kernel", "Guards against faults of the CPUs", "Network interfaces",
    "Kernel settings", "Limits and services", kOther};

std::string title_of(const std::string& fact) {
  if (runners::role_of(fact) == runners::FactRole::identity) return kIdentity;
  if (std::ranges::find(kServices, fact) != kServices.end()) return "Limits and services";
  const auto group = std::ranges::find_if(kGroups, [&](const Group& each) { return fact.starts_with(each.prefix); });
  return group == kGroups.end() ? kOther : group->title;
}

}  // namespace

std::string host_text(const std::string& host_facts_json) {
  const HostFacts facts = runners::facts_from_json(host_facts_json);
  std::map<std::string, std::string> sections;
  std::size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, name.size());
  for (const auto& [name, value] : facts) sections[title_of(name)] += fmt::format("  {:<{}}  {}\n", name, width, value);
  std::string text;
  for (const char* title : kTitles)
    if (const auto section = sections.find(title); section != sections.end())
      text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", title, section->second);
  return text.empty() ? "The record says nothing about the machine.\n" : text;
}

int show_host(const Record& record, const CommandLine& line) {
  if (!line.has("json")) {
    fmt::print("{}", host_text(record.study.host_facts_json));
    return kDone;
  }
  const auto facts = nlohmann::json::parse(record.study.host_facts_json, nullptr, false);
  fmt::print("{}\n", facts.is_discarded() ? "{}" : facts.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return kDone;
}

}  // namespace netsettle::tuner
