// sysctl.*: one file below /proc/sys, of the server's namespace where it can be written there, else of the machine.

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "datasets/model/nearest.hpp"
#include "datasets/model/parameter.hpp"
#include "datasets/model/setting_form.hpp"
#include "runners/settings/catalogue_rows.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kSysctl = "sysctl.";
constexpr std::string_view kRooms[] = {"net.core.", "net.ipv4.", "net.ipv6."};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/// "net.core.rmem_max" → "/proc/sys/net/core/rmem_max". Only letters, digits, '_', '-' and single dots: the path cannot leave its room.
Expected<std::string> sysctl_path(const std::string& name) {
  const std::string key = name.substr(kSysctl.size());
  const bool is_listed = std::ranges::find(other_sysctls(), name) != other_sysctls().end();
  if (!is_listed && std::ranges::none_of(kRooms, [&](std::string_view room) { return key.starts_with(room); }))
    return fail(ErrorCode::invalid_input, name, "only sysctls of net.core, net.ipv4, net.ipv6 and a few of vm and kernel can be changed");
  if (!std::ranges::all_of(key, is_name_character) || key.ends_with('.') || key.find("..") != std::string::npos)
    return fail(ErrorCode::invalid_input, name, "not the name of a sysctl");
  std::string path = "/proc/sys/" + key;
  std::ranges::replace(path, '.', '/');
  return path;
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

struct Found {
  std::string netns;
  std::string text;
};

Expected<Found> find_writable(Host& host, const std::string& path) {
  NETSETTLE_ASSIGN(std::string text, host.read_file(path));
  NETSETTLE_TRY(host.check_writable(path));
  return Found{host.network_namespace(), std::move(text)};
}

/// What a namespace shows read-only, or not at all, is the whole machine's.
Expected<Found> find_sysctl(const SettingContext& context, const std::string& name, const std::string& path) {
  const bool one_host = context.server->network_namespace() == context.host->network_namespace();
  if (!one_host)
    if (auto found = find_writable(*context.server, path)) return found;
  auto found = find_writable(*context.host, path);
  if (found) return found;
  if (found.error().code == ErrorCode::not_found) return std::unexpected(unknown_sysctl(*context.host, name, path));
  return std::unexpected(unusable(name, found.error()));
}

Expected<ResolvedSetting> find(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(const std::string path, sysctl_path(name));
  NETSETTLE_ASSIGN(const Found found, find_sysctl(context, name, path));
  ResolvedSetting setting;
  const bool shared = found.netns.empty() && (!context.server->network_namespace().empty() || is_host_wide(name));
  setting.scope = shared ? SettingScope::host : SettingScope::network_namespace;
  setting.files.push_back({path, found.netns, catalogue_row(name).comparator.value_or(comparator_of_text(found.text))});
  return setting;
}

}  // namespace

Family sysctls() { return {kSysctl, find, plain_texts, plain_value}; }

}  // namespace netsettle::runners
