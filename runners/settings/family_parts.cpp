// What the kinds of settings have in common.

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {

Value joined(const ResolvedSetting& setting, const Texts& texts) {
  Texts canonical;
  for (std::size_t i = 0; i < texts.size(); ++i) canonical.push_back(canonical_text(setting.files[i].comparator, texts[i]));
  return fmt::format("{}", fmt::join(canonical, " "));
}

Value plain_value(const SettingContext&, const ResolvedSetting& setting, const Texts& texts) {
  const Comparator comparator = setting.files.front().comparator;
  const std::string first = canonical_text(comparator, texts.front());
  if (!std::ranges::all_of(texts, [&](const std::string& text) { return canonical_text(comparator, text) == first; }))
    return joined(setting, texts);
  const bool is_number = comparator == Comparator::number || comparator == Comparator::number_rounded_up;
  const auto number = is_number ? decimal(first) : std::nullopt;
  return number ? Value(*number) : Value(first);
}

// ---- failures that help ------------------------------------------------------------------------

Error unusable(const std::string& name, const Error& cause) {
  Error error = cause;
  error.subject = name;
  switch (cause.errno_value) {
    case ENOENT:
      error.text = "does not exist here";
      break;
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

Expected<std::string> read_writable(Host& host, const std::string& name, const std::string& path) {
  auto text = read_carrier(host, path);
  if (!text) return std::unexpected(unusable(name, text.error()));
  if (const auto writable = check_carrier(host, path); !writable) return std::unexpected(unusable(name, writable.error()));
  return text;
}

// ---- folders -----------------------------------------------------------------------------------

Host& host_of(const SettingContext& context, const SettingFile& file) {
  return file.netns == context.server->network_namespace() ? *context.server : *context.host;
}

int number_in(std::string_view name) {
  const auto digits = name.find_first_of("0123456789");
  return static_cast<int>(decimal(name.substr(std::min(digits, name.size()))).value_or(0));
}

std::vector<std::string> numbered(Host& host, const std::string& folder, std::string_view word) {
  auto names = host.list_directory(folder).value_or(std::vector<std::string>());
  std::erase_if(names, [word](const std::string& name) { return !name.starts_with(word) || !decimal(name.substr(word.size())); });
  std::ranges::sort(names, {}, [](const std::string& name) { return number_in(name); });
  return names;
}

Expected<void> check_interface(const SettingContext& context) {
  const std::string& name = context.interface;
  const bool is_name =
      !name.empty() && name.size() <= 15 && name != "." && name != ".." && name.find_first_of("/ \t\n:") == std::string::npos;
  if (!is_name) return fail(ErrorCode::invalid_input, name, "not the name of an interface");
  return {};
}

Expected<std::vector<SettingFile>> queue_files(const SettingContext& context, const std::string& name, std::string_view direction,
                                               const std::string& file) {
  NETSETTLE_TRY(check_interface(context));
  const std::string folder = "/sys/class/net/" + context.interface + "/queues";
  if (const auto listed = context.server->list_directory(folder); !listed)
    return std::unexpected(Error{listed.error().code, name, "no interface " + context.interface, listed.error().errno_value});
  std::vector<SettingFile> files;
  for (const auto& queue : numbered(*context.server, folder, direction))
    files.push_back(
        {fmt::format("{}/{}/{}", folder, queue, file), context.server->network_namespace(), Comparator::cpu_mask, number_in(queue)});
  if (files.empty())
    return fail(ErrorCode::unsupported, name,
                fmt::format("{} has no {} queues", context.interface, direction == "rx-" ? "receive" : "transmit"));
  return files;
}

}  // namespace netsettle::runners
