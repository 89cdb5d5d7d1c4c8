#include "runners/settings/catalogue.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/nearest.hpp"
#include "datasets/model/parameter.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kSysctl = "sysctl.";
constexpr std::string_view kRooms[] = {"net.core.", "net.ipv4.", "net.ipv6."};
constexpr const char* kRpsCount = "queues.rps.count";

// ---- names -------------------------------------------------------------------------------------

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/// "net.core.rmem_max" → "/proc/sys/net/core/rmem_max". Only letters, digits, '_', '-' and single dots: the path cannot leave its room.
Expected<std::string> sysctl_path(const std::string& name) {
  const std::string key = name.substr(kSysctl.size());
  if (std::ranges::none_of(kRooms, [&](std::string_view room) { return key.starts_with(room); }))
    return fail(ErrorCode::invalid_input, name, "only sysctls of net.core, net.ipv4 and net.ipv6 can be changed");
  if (!std::ranges::all_of(key, is_name_character) || key.ends_with('.') || key.find("..") != std::string::npos)
    return fail(ErrorCode::invalid_input, name, "not the name of a sysctl");
  std::string path = "/proc/sys/" + key;
  std::ranges::replace(path, '.', '/');
  return path;
}

bool is_interface_name(std::string_view name) {
  return !name.empty() && name.size() <= 15 && name != "." && name != ".." && name.find_first_of("/ \t\n:") == std::string_view::npos;
}

// ---- what kind of value ------------------------------------------------------------------------

Comparator comparator_of(std::string_view name, std::string_view text) {
  if (name == "sysctl.net.core.rps_sock_flow_entries") return Comparator::number_rounded_up;
  if (name == "sysctl.net.core.flow_limit_cpu_bitmap" || name == "sysctl.net.core.rps_default_mask") return Comparator::cpu_mask;
  return comparator_of_text(text);
}

std::string unit_of(std::string_view name) {
  struct Unit {
    std::string_view part, unit;
  };
  constexpr Unit kUnits[] = {{"udp_mem", "pages"},       {"tcp_mem", "pages"},        {"rmem", "bytes"},         {"wmem", "bytes"},
                             {"optmem", "bytes"},        {"budget_usecs", "us"},      {"busy_", "us"},           {"budget", "packets"},
                             {"max_backlog", "packets"}, {"flow_entries", "entries"}, {"dev_weight", "packets"}, {"pcpu_rsv", "pages"},
                             {"rps.count", "CPUs"},      {"table_len", "buckets"}};
  const auto found = std::ranges::find_if(kUnits, [&](const Unit& unit) { return name.find(unit.part) != std::string_view::npos; });
  return found == std::end(kUnits) ? "" : std::string(found->unit);
}

/// The number of CPUs that makes these masks, or the masks as text.
Value rps_value(const SettingContext& context, std::vector<std::string> masks) {
  for (auto& mask : masks) mask = canonical_text(Comparator::cpu_mask, mask);
  CpuSet cpus;
  for (std::size_t count = 0; count <= context.cpus.size(); ++count) {
    if (count > 0) cpus.insert(context.cpus[count - 1]);
    const std::string mask = to_cpu_mask(cpus);
    if (std::ranges::all_of(masks, [&](const std::string& other) { return other == mask; })) return static_cast<std::int64_t>(count);
  }
  return fmt::format("{}", fmt::join(masks, " "));
}

Value sysctl_value(Comparator comparator, std::string_view text) {
  const std::string canonical = canonical_text(comparator, text);
  const auto number = comparator == Comparator::number || comparator == Comparator::number_rounded_up ? decimal(canonical) : std::nullopt;
  return number ? Value(*number) : Value(canonical);
}

// ---- failures that help ------------------------------------------------------------------------

Error unwritable(const std::string& name, const Error& cause) {
  Error error = cause;
  error.subject = name;
  switch (cause.errno_value) {
    case EROFS:
      error.text = "is on a file system that is mounted read-only (a container?)";
      break;
    case EACCES:
    case EPERM:
      error.text = "cannot be changed: needs root in the initial namespaces, and a kernel that lets it be written";
      break;
    default:
      error.text = "cannot be changed";
      break;
  }
  return error;
}

/// not_found, with the nearest name of the same folder.
Error unknown_sysctl(Host& host, const std::string& name, const std::string& path) {
  const auto slash = path.rfind('/');
  Error error{ErrorCode::not_found, name, "no such setting in this kernel", ENOENT};
  const auto names = host.list_directory(path.substr(0, slash));
  const auto meant = names ? nearest(path.substr(slash + 1), *names) : std::nullopt;
  if (meant) error.text += fmt::format("; did you mean {}.{}", name.substr(0, name.rfind('.')), *meant);
  return error;
}

// ---- finding -----------------------------------------------------------------------------------

struct Found {
  std::string netns;
  std::string text;
};

Expected<Found> find_writable(Host& host, const std::string& path) {
  NETSETTLE_ASSIGN(std::string text, host.read_file(path));
  NETSETTLE_TRY(host.check_writable(path));
  return Found{host.network_namespace(), std::move(text)};
}

/// In the server's namespace where it can be written there, else the host's: what a namespace shows read-only, or not at all, is the whole
/// machine's.
Expected<Found> find_sysctl(const SettingContext& context, const std::string& name, const std::string& path) {
  const bool one_host = context.server->network_namespace() == context.host->network_namespace();
  if (!one_host)
    if (auto found = find_writable(*context.server, path)) return found;
  auto found = find_writable(*context.host, path);
  if (found) return found;
  if (found.error().code == ErrorCode::not_found) return std::unexpected(unknown_sysctl(*context.host, name, path));
  return std::unexpected(unwritable(name, found.error()));
}

Expected<ResolvedSetting> resolve_sysctl(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(const std::string path, sysctl_path(name));
  NETSETTLE_ASSIGN(const Found found, find_sysctl(context, name, path));
  ResolvedSetting setting;
  setting.name = name;
  const bool shared = found.netns.empty() && (!context.server->network_namespace().empty() || is_host_wide(name));
  setting.scope = shared ? SettingScope::host : SettingScope::network_namespace;
  const Comparator comparator = comparator_of(name, found.text);
  setting.files.push_back({path, found.netns, comparator});
  setting.as_found = value_of(context, setting, {found.text});
  setting.unit = unit_of(name);
  return setting;
}

Expected<std::vector<SettingFile>> rps_files(const SettingContext& context) {
  if (!is_interface_name(context.interface)) return fail(ErrorCode::invalid_input, context.interface, "not the name of an interface");
  const std::string queues = "/sys/class/net/" + context.interface + "/queues";
  auto names = context.server->list_directory(queues);
  if (!names) return std::unexpected(Error{names.error().code, kRpsCount, "no interface " + context.interface, names.error().errno_value});
  std::erase_if(*names, [](const std::string& queue) { return !queue.starts_with("rx-"); });
  // rx-2 before rx-10
  std::ranges::sort(*names, {}, [](const std::string& queue) { return std::pair(queue.size(), queue); });
  std::vector<SettingFile> files;
  for (const auto& queue : *names)
    files.push_back({queues + "/" + queue + "/rps_cpus", context.server->network_namespace(), Comparator::cpu_mask});
  if (files.empty()) return fail(ErrorCode::unsupported, kRpsCount, context.interface + " has no receive queues");
  return files;
}

Expected<ResolvedSetting> resolve_rps(const SettingContext& context) {
  ResolvedSetting setting;
  setting.name = kRpsCount;
  setting.scope = SettingScope::device;
  setting.unit = unit_of(kRpsCount);
  NETSETTLE_ASSIGN(setting.files, rps_files(context));
  std::vector<std::string> masks;
  for (const auto& file : setting.files) {
    const auto found = find_writable(*context.server, file.path);
    if (!found && found.error().code == ErrorCode::not_found)
      return fail(ErrorCode::unsupported, kRpsCount, "this kernel has no receive packet steering");
    if (!found) return std::unexpected(unwritable(kRpsCount, found.error()));
    masks.push_back(found->text);
  }
  setting.as_found = value_of(context, setting, masks);
  return setting;
}

}  // namespace

Value value_of(const SettingContext& context, const ResolvedSetting& setting, const std::vector<std::string>& texts) {
  if (setting.name == kRpsCount) return rps_value(context, texts);
  return sysctl_value(setting.files.front().comparator, texts.front());
}

Expected<ResolvedSetting> resolve_setting(const SettingContext& context, const std::string& name) {
  if (name == kRpsCount) return resolve_rps(context);
  if (name.starts_with(kSysctl)) return resolve_sysctl(context, name);
  return fail(ErrorCode::invalid_input, name,
              "not a setting of the machine; known are sysctl.net.core.*, sysctl.net.ipv4.*, sysctl.net.ipv6.* and queues.rps.count");
}

}  // namespace netsettle::runners
