#include "tuner/bundle/plan.hpp"

#include <fmt/chrono.h>
#include <string_view>

#include <algorithm>
#include <chrono>

namespace netsettle::tuner {

namespace {

constexpr std::string_view kSysctlRoot = "/proc/sys/";
constexpr std::string_view kNetRoot = "/sys/class/net/";

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::string slug_of(std::string_view study) {
  std::string slug;
  for (const char c : study) slug += is_letter_or_digit(c) || c == '-' || c == '_' ? c : '-';
  return slug.empty() ? "study" : slug;
}

std::chrono::sys_seconds created_at(const BundleInput& input) {
  return std::chrono::sys_seconds(std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds(input.created_us)));
}

/// White space made single and the ends trimmed: the kernel prints vectors with tabs and a final newline.
std::string normalised(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n';
    if (!space)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// A value stands in a line of its own in sysctl.d and between '|' in the receipt; the shell quoting takes care of everything else.
Expected<std::string> checked_value(const std::string& setting, std::string_view value) {
  if (value.ends_with('\n')) value.remove_suffix(1);
  if (value.contains('\n')) return fail(ErrorCode::invalid_input, setting, "the value has more than one line");
  std::string text = normalised(value);
  if (!std::ranges::all_of(text, is_printable)) return fail(ErrorCode::invalid_input, setting, "the value has unprintable characters");
  if (text.empty()) return fail(ErrorCode::invalid_input, setting, "the value is empty");
  if (text.contains('|')) return fail(ErrorCode::invalid_input, setting, "the value has a '|'");
  return text;
}

Expected<void> check_path(const std::string& setting, std::string_view path, std::string_view root) {
  if (!path.starts_with(root)) return fail(ErrorCode::invalid_input, setting, fmt::format("'{}' is not below {}", one_line(path), root));
  const bool safe = std::ranges::all_of(path, [](char c) { return is_letter_or_digit(c) || std::string_view("/._:@-").contains(c); });
  if (!safe || path.contains("//") || path.contains("/../") || path.contains("/./") || path.ends_with("/") || path.ends_with("/.."))
    return fail(ErrorCode::invalid_input, setting, fmt::format("'{}' is not a plain path", one_line(path)));
  return {};
}

/// Dots between the parts, as people write it; slashes where a part has a dot itself (sysctl.d(5)).
std::string sysctl_key(std::string_view path) {
  std::string key(path.substr(kSysctlRoot.size()));
  if (!key.contains('.')) std::ranges::replace(key, '/', '.');
  return key;
}

Expected<void> add_sysctl(BundlePlan& plan, const BundleSetting& setting) {
  for (const BundleFile& file : setting.files) {
    NETSETTLE_TRY(check_path(setting.name, file.path, kSysctlRoot));
    NETSETTLE_ASSIGN(std::string value, checked_value(setting.name, file.value));
    std::string as_found = one_line(normalised(file.as_found));
    if (value != as_found) plan.sysctls.push_back({sysctl_key(file.path), file.path, std::move(value), std::move(as_found)});
  }
  return {};
}

Expected<void> add_rps(BundlePlan& plan, const BundleSetting& setting) {
  std::optional<QueueWrite> common;
  bool changed = false;
  for (const BundleFile& file : setting.files) {
    NETSETTLE_TRY(check_path(setting.name, file.path, kNetRoot));
    if (!file.path.ends_with("/rps_cpus")) return fail(ErrorCode::invalid_input, setting.name, "'" + file.path + "' is no rps_cpus");
    NETSETTLE_ASSIGN(std::string mask, checked_value(setting.name, file.value));
    if (mask.find_first_not_of("0123456789abcdef,") != std::string::npos)
      return fail(ErrorCode::invalid_input, setting.name, "'" + mask + "' is no CPU mask");
    if (common && common->mask != mask)
      return fail(ErrorCode::unsupported, setting.name, "the receive queues have different masks; a bundle carries one for all of them");
    changed = changed || mask != normalised(file.as_found);
    if (!common) common = QueueWrite{std::move(mask), one_line(normalised(file.as_found))};
  }
  if (changed) plan.rps = std::move(common);
  return {};
}

}  // namespace

std::string_view to_text(BundleScope scope) {
  switch (scope) {
    case BundleScope::host:
      return "host";
    case BundleScope::network_namespace:
      return "network_namespace";
    case BundleScope::device:
      return "device";
  }
  return "";
}

std::string one_line(std::string_view text) {
  std::string line(text);
  // Bytes above 127 are parts of UTF-8 characters: left alone.
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return line;
}

std::string bundle_id(const BundleInput& input) {
  return fmt::format("{}-{:%Y%m%dT%H%M%SZ}-c{}", slug_of(input.study), created_at(input), input.configuration_id);
}

Expected<BundlePlan> plan_bundle(const BundleInput& input) {
  BundlePlan plan;
  plan.id = bundle_id(input);
  plan.slug = slug_of(input.study);
  plan.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", created_at(input));
  for (const BundleSetting& setting : input.settings) {
    if (setting.name.starts_with("sysctl."))
      NETSETTLE_TRY(add_sysctl(plan, setting));
    else if (setting.name == "queues.rps.count")
      NETSETTLE_TRY(add_rps(plan, setting));
    else
      return fail(ErrorCode::unsupported, setting.name, "no file of a bundle can carry this setting yet");
  }
  return plan;
}

}  // namespace netsettle::tuner
