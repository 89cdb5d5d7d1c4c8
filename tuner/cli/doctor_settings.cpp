#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>

#include "datasets/model/setting_form.hpp"
#include "runners/settings/catalogue.hpp"
#include "tuner/cli/doctor.hpp"

namespace netsettle::tuner {
namespace {

/// Of the many sysctls below net those that guides for DNS servers name.
constexpr std::array kSysctls = {"sysctl.net.core.rmem_default",       "sysctl.net.core.rmem_max",
                                 "sysctl.net.core.wmem_default",       "sysctl.net.core.wmem_max",
                                 "sysctl.net.core.optmem_max",         "sysctl.net.core.netdev_max_backlog",
                                 "sysctl.net.core.netdev_budget",      "sysctl.net.core.netdev_budget_usecs",
                                 "sysctl.net.core.dev_weight",         "sysctl.net.core.busy_poll",
                                 "sysctl.net.core.busy_read",          "sysctl.net.core.rps_sock_flow_entries",
                                 "sysctl.net.core.somaxconn",          "sysctl.net.ipv4.udp_mem",
                                 "sysctl.net.ipv4.udp_rmem_min",       "sysctl.net.ipv4.udp_wmem_min",
                                 "sysctl.net.ipv4.ip_local_port_range"};

std::vector<std::string> setting_names() {
  std::vector<std::string> names(kSysctls.begin(), kSysctls.end());
  names.insert(names.end(), other_sysctls().begin(), other_sysctls().end());
  for (const auto& setting : machine_settings()) names.push_back(setting.name);
  return names;
}

}  // namespace

runners::SettingContext machine_context(runners::Host& host, const runners::CpuSurvey& cpus, const std::string& interface) {
  const std::vector<CpuId> allowed(cpus.allowed.begin(), cpus.allowed.end());
  return {.host = &host,
          .server = &host,
          .interface = interface,
          .cpus = allowed,
          .server_cpus = allowed,
          .link_resets = runners::link_resets(std::getenv("SSH_CONNECTION"), false)};
}

SettingState state_of(const runners::SettingContext& context, const std::string& name, const std::vector<std::string>& all_settings) {
  SettingState state{.name = name};
  const auto setting = runners::resolve_setting(context, name);
  if (!setting) {
    state.unusable = setting.error().text;
    return state;
  }
  state.as_found = to_text(setting->as_found);
  state.no_matter = runners::inert_reason(context, name, all_settings);
  state.smallest = setting->smallest;
  state.largest = setting->largest;
  state.words = setting->words;
  state.bound_by = setting->bound_by;
  return state;
}

std::string range_text(const SettingState& state) {
  if (!state.words.empty()) return fmt::format("one of {}", fmt::join(state.words, ", "));
  if (state.bound_by.empty() || !state.largest) return "";
  return fmt::format("takes {} to {} ({})", state.smallest.value_or(0), *state.largest, state.bound_by);
}

std::vector<SettingState> setting_states(runners::Host& host, const runners::CpuSurvey& cpus, const std::string& interface) {
  const auto context = machine_context(host, cpus, interface);
  std::vector<SettingState> states;
  for (const std::string& name : setting_names()) states.push_back(state_of(context, name, {name}));
  return states;
}

}  // namespace netsettle::tuner
