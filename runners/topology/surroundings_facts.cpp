// What else lives on the machine and may interfere, and which limits hold for netsettle's processes.

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "runners/topology/fact_reader.hpp"

namespace netsettle::runners {
namespace {

struct Service {
  const char* fact;
  std::string_view process;  // as in /proc/N/comm: at most 15 characters
};
constexpr std::array kServices = {Service{"irqbalance", "irqbalance"},
                                  Service{"tuned", "tuned"},
                                  Service{"bpftune", "bpftune"},
                                  Service{"network_manager", "NetworkManager"},
                                  Service{"systemd_networkd", "systemd-network"},
                                  Service{"power_profiles", "power-profiles-"},
                                  Service{"thermald", "thermald"},
                                  Service{"chronyd", "chronyd"},
                                  Service{"ntpd", "ntpd"},
                                  Service{"systemd_timesyncd", "systemd-timesyn"},
                                  Service{"google_guest_agent", "google_guest_ag"},
                                  Service{"amazon_ssm_agent", "amazon-ssm-agen"},
                                  Service{"azure_agent", "waagent"},
                                  Service{"power_saver", "tlp"}};

std::set<std::string> process_names(FactReader& reader) {
  std::set<std::string> names;
  for (const std::string& entry : reader.names_in("/proc"))
    if (entry.find_first_not_of("0123456789") == std::string::npos)
      if (auto name = reader.line("/proc/" + entry + "/comm")) names.insert(std::move(*name));
  return names;
}

void add_services(FactReader& reader) {
  const std::set<std::string> names = process_names(reader);
  for (const Service& service : kServices) {
    const bool runs = names.contains(std::string(service.process));
    if (runs || service.fact == std::string_view("irqbalance")) reader.note(service.fact, runs ? "running" : "not running");
  }
  if (names.contains("tuned")) reader.note_line("tuned_profile", "/etc/tuned/active_profile");
}

/// Version 2: one line "0::/path". Its files are absent at the root, where nothing is limited.
void add_control_group(FactReader& reader) {
  const auto text = reader.text("/proc/self/cgroup");
  if (!text) return;
  for (const std::string& line : lines_of(*text)) {
    if (!line.starts_with("0::")) continue;
    const std::string folder = "/sys/fs/cgroup" + line.substr(3) + "/";
    for (const char* name : {"cpu.max", "memory.max", "cpuset.cpus.effective"})
      reader.note_line(fmt::format("cgroup.{}", name), folder + name);
  }
}

void add_limits(FactReader& reader) {
  const auto text = reader.text("/proc/self/limits");
  if (!text) return;
  const std::pair<std::string_view, const char*> limits[] = {{"Max open files", "limit.open_files"},
                                                             {"Max locked memory", "limit.locked_memory"},
                                                             {"Max realtime priority", "limit.realtime_priority"},
                                                             {"Max processes", "limit.processes"}};
  for (const std::string& line : lines_of(*text))
    for (const auto& [label, fact] : limits)
      if (line.starts_with(label)) {
        const std::string value = first_line(std::string_view(line).substr(label.size()));
        reader.note(fact, value.substr(0, value.find(' ')));
      }
}

void add_container(FactReader& reader) {
  if (reader.text("/run/.containerenv")) reader.note("container", "podman");
  if (reader.text("/.dockerenv")) reader.note("container", "docker");
  reader.note_line("container", "/run/systemd/container");
}

void add_moment(FactReader& reader) {
  if (const auto uptime = reader.line("/proc/uptime")) reader.note("uptime_s", uptime->substr(0, uptime->find('.')));
  if (const auto load = reader.line("/proc/loadavg")) reader.note("load_average", load->substr(0, load->find(' ')));
}

}  // namespace

void add_surroundings(FactReader& reader) {
  add_services(reader);
  add_container(reader);
  add_control_group(reader);
  add_limits(reader);
  add_moment(reader);
}

}  // namespace netsettle::runners
