#include "datasets/model/setting_name.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/nearest.hpp"
#include "datasets/model/setting_form.hpp"

namespace netsettle {
namespace {

using Names = std::vector<std::string>;

const Names& server_settings() {
  static const Names kNames = {"server.processes", "server.threads", "server.cores",          "server.placement",   "server.io_model",
                               "server.sockets",   "server.batch",   "server.receive_buffer", "server.send_buffer", "server.busy_poll"};
  return kNames;
}

const Names& load_settings() {
  static const Names kNames = {"load.clients", "load.outstanding", "load.threads", "load.instances", "load.rate"};
  return kNames;
}

bool contains(const Names& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

std::unexpected<Error> not_supported_yet(std::string_view setting, std::string_view instead) {
  return fail(ErrorCode::unsupported, std::string(setting), fmt::format("'{}' is not supported yet; {}", setting, instead));
}

std::unexpected<Error> invalid(std::string_view setting, std::string text) {
  return fail(ErrorCode::invalid_input, std::string(setting), std::move(text));
}

/// Dot-separated parts of letters, digits, '_' and '-': such a name cannot leave /proc/sys.
bool is_well_formed(std::string_view name) {
  const auto is_part_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  bool part_is_empty = true;
  for (const char c : name) {
    if (c == '.' ? part_is_empty : !is_part_character(c)) return false;
    part_is_empty = c == '.';
  }
  return !part_is_empty && name.size() <= 200;
}

Expected<void> check_server(std::string_view setting) {
  if (contains(server_settings(), setting)) return {};
  const std::string known = fmt::format("this release can change {}", fmt::join(server_settings(), ", "));
  return invalid(setting, fmt::format("'{}' cannot be a parameter{}; {}", setting, did_you_mean(setting, server_settings()), known));
}

Expected<void> check_memory(std::string_view setting) {
  if (setting == "memory.policy") return {};
  return invalid(setting, fmt::format("'{}' cannot be a parameter; of memory this release can change memory.policy", setting));
}

Expected<void> check_load(std::string_view setting, RigKind rig) {
  if (rig != RigKind::loopback)
    return invalid(
        setting,
        fmt::format("'{}' changes the instrument, not what is measured: allowed only with rig.kind = \"loopback\", for learning", setting));
  if (contains(load_settings(), setting)) return {};
  const std::string known = fmt::format("this release can change {}", fmt::join(load_settings(), ", "));
  return invalid(setting, fmt::format("'{}' cannot be a parameter{}; {}", setting, did_you_mean(setting, load_settings()), known));
}

Expected<void> check_sysctl(std::string_view setting) {
  constexpr std::array<std::string_view, 3> kFolders = {"sysctl.net.core.", "sysctl.net.ipv4.", "sysctl.net.ipv6."};
  const auto below = [setting](std::string_view folder) { return setting.starts_with(folder); };
  if (std::ranges::any_of(kFolders, below) || contains(other_sysctls(), setting)) return {};
  const auto meant = nearest(setting, other_sysctls());
  return not_supported_yet(
      setting,
      meant ? fmt::format("did you mean '{}'?", *meant)
            : "this release changes sysctl.net.core.*, sysctl.net.ipv4.*, sysctl.net.ipv6.* and a few of sysctl.vm and sysctl.kernel");
}

/// queues.*, napi.*, nic.*, interrupts.*, cpu.*, sched.*, actors.*.
Expected<void> check_machine(std::string_view setting, std::string_view room) {
  Names names;
  for (const auto& known : machine_settings())
    if (known.name.starts_with(std::string(room) + ".")) names.push_back(known.name);
  if (contains(names, setting)) return {};
  return invalid(setting, fmt::format("unknown setting '{}'{}; of {} this release can change {}", setting, did_you_mean(setting, names),
                                      room, fmt::join(names, ", ")));
}

}  // namespace

bool acts_by_start(std::string_view setting) {
  return setting.starts_with("server.") || setting.starts_with("load.") || setting.starts_with("memory.");
}

Expected<void> check_setting_name(std::string_view setting, RigKind rig) {
  static constexpr std::array<std::string_view, 1> kLater = {"client"};
  static const Names kRooms = {"server", "memory", "load", "sysctl", "queues", "napi", "nic", "interrupts", "cpu", "sched", "actors"};
  if (!is_well_formed(setting) || setting.find('.') == std::string_view::npos)
    return invalid(setting,
                   fmt::format("'{}' is not the name of a setting (like \"sysctl.net.core.rmem_max\" or \"server.processes\")", setting));
  const std::string_view room = setting.substr(0, setting.find('.'));
  if (std::ranges::find(kLater, room) != kLater.end())
    return not_supported_yet(setting,
                             "this release changes server.*, memory.policy, sysctl.*, queues.*, napi.*, nic.*, interrupts.*, cpu.*, "
                             "sched.* and actors.irqbalance");
  if (room == "server") return check_server(setting);
  if (room == "memory") return check_memory(setting);
  if (room == "load") return check_load(setting, rig);
  if (!contains(kRooms, room))
    return invalid(setting, fmt::format("unknown kind of setting '{}'{}; known are {}.*", room, did_you_mean(room, kRooms),
                                        fmt::join(kRooms, ".*, ")));
  NETSETTLE_TRY(room == "sysctl" ? check_sysctl(setting) : check_machine(setting, room));
  if (rig == RigKind::loopback)
    return invalid(
        setting,
        fmt::format(
            "'{}' cannot be changed on rig.kind = \"loopback\", which leaves the machine alone: only server.*, memory.policy and load.*; "
            "use rig.kind = \"namespaces\" (needs root)",
            setting));
  return {};
}

}  // namespace netsettle
