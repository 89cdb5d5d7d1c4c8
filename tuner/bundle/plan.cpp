#include "tuner/bundle/plan.hpp"

#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <string_view>

#include <algorithm>
#include <chrono>

namespace netsettle::tuner {

namespace {

constexpr std::string_view kSysctlRoot = "/proc/sys/";
constexpr std::string_view kNetRoot = "/sys/class/net/";
constexpr std::string_view kInterrupts = "/proc/irq/";
constexpr std::string_view kEthtool = "ethtool ";
constexpr std::string_view kRoots[] = {kSysctlRoot, kNetRoot, kInterrupts, "/sys/devices/system/cpu/", "/sys/kernel/debug/sched/"};

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

Expected<void> check_path(const std::string& setting, std::string_view path) {
  if (std::ranges::none_of(kRoots, [path](std::string_view root) { return path.starts_with(root); }))
    return fail(ErrorCode::invalid_input, setting, fmt::format("'{}' is not below {}", one_line(path), fmt::join(kRoots, ", ")));
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

/// Sorts the files of settings into calls of the scripts.
class WriteBuilder {
 public:
  explicit WriteBuilder(BundlePlan& plan) : plan_(plan) {}

  Expected<void> add(const BundleSetting& setting) {
    const std::size_t first = plan_.writes.size();
    for (const BundleFile& file : setting.files) NETSETTLE_TRY(add_file(setting.name, file));
    join_queues(first);
    drop_unchanged(first);
    return {};
  }

 private:
  using Kind = BundleWrite::Kind;

  Expected<void> add_file(const std::string& setting, const BundleFile& file) {
    if (file.path == "irqbalance") {
      plan_.keeps_irqbalance_away = file.value == "banned";
      return add_note(irqbalance_note(file.value));
    }
    NETSETTLE_ASSIGN(std::string value, checked_value(setting, file.value));
    std::string as_found = one_line(normalised(file.as_found));
    if (file.path.starts_with(kEthtool)) return add_ethtool(setting, file.path, std::move(value), std::move(as_found));
    NETSETTLE_TRY(check_path(setting, file.path));
    if (file.path.starts_with(kInterrupts)) return add_interrupt(std::move(value), as_found), Expected<void>();
    if (file.path.starts_with(kNetRoot)) return add_device(setting, file.path, std::move(value), std::move(as_found));
    if (file.path.starts_with(kSysctlRoot) && value != as_found)
      plan_.sysctls.push_back({sysctl_key(file.path), file.path, value, as_found});
    plan_.writes.push_back({Kind::file, file.path, "", {std::move(value)}, std::move(as_found)});
    return {};
  }

  Expected<void> add_note(std::string note) {
    plan_.notes.push_back(std::move(note));
    return {};
  }

  static std::string irqbalance_note(std::string_view mode) {
    if (mode == "stopped") return "irqbalance did not run: `systemctl disable --now irqbalance`.";
    if (mode == "banned")
      return "irqbalance left the interrupts of this interface alone: put the interface's name into `irqbalance-policy.sh`, and "
             "`--policyscript=/usr/local/lib/netsettle/irqbalance-policy.sh` into IRQBALANCE_ARGS (/etc/default/irqbalance).";
    return "irqbalance ran and placed the interrupts.";
  }

  Expected<void> add_ethtool(const std::string& setting, std::string_view path, std::string value, std::string as_found) {
    std::vector<std::string> words;
    for (std::string_view rest = path.substr(kEthtool.size()); !rest.empty();) {
      const auto end = std::min(rest.find(' '), rest.size());
      words.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const bool plain =
        words.size() == 3 && std::ranges::all_of(words, [](const std::string& word) {
          return std::ranges::all_of(word, [](char c) { return is_letter_or_digit(c) || std::string_view("-._").contains(c); });
        });
    if (!plain) return fail(ErrorCode::invalid_input, setting, fmt::format("'{}' is no value of ethtool", one_line(path)));
    if (words[0] == "-x") return add_note(fmt::format("The card's table of receive queues: `ethtool -X IF {}`.", value));
    if (words[0] == "-n")
      return add_note(fmt::format("The fields that the card hashes: `ethtool -N IF rx-flow-hash {} {}`.", words[2], value));
    if (words[0] != "-k" && words[0] != "-c" && words[0] != "-g" && words[0] != "-l")
      return fail(ErrorCode::unsupported, setting, "no file of a bundle can carry this setting yet");
    plan_.writes.push_back({Kind::ethtool, words[0], words[2], {std::move(value)}, std::move(as_found)});
    return {};
  }

  /// One write for all interrupts; which one is which is found again on the target.
  void add_interrupt(std::string list, const std::string& as_found) {
    if (plan_.writes.empty() || plan_.writes.back().kind != Kind::interrupts) plan_.writes.push_back({Kind::interrupts, "", "", {}, ""});
    BundleWrite& write = plan_.writes.back();
    write.values.push_back(std::move(list));
    write.as_found += (write.as_found.empty() ? "" : " ") + as_found;
  }

  Expected<void> add_device(const std::string& setting, std::string_view path, std::string value, std::string as_found) {
    const auto slash = path.find('/', kNetRoot.size());
    if (slash == std::string_view::npos)
      return fail(ErrorCode::invalid_input, setting, fmt::format("'{}' is no file of an interface", path));
    if (path.ends_with("_cpus") && value.find_first_not_of("0123456789abcdef,") != std::string::npos)
      return fail(ErrorCode::invalid_input, setting, "'" + value + "' is no CPU mask");
    plan_.writes.push_back({Kind::device, std::string(path.substr(slash + 1)), "", {std::move(value)}, std::move(as_found)});
    return {};
  }

  /// "queues/rx-3/rps_cpus" → "rx-", "rps_cpus".
  static std::optional<std::pair<std::string, std::string>> queue_file(const BundleWrite& write) {
    constexpr std::string_view kQueues = "queues/";
    if (write.kind != Kind::device || !write.target.starts_with(kQueues)) return std::nullopt;
    const std::string_view rest = std::string_view(write.target).substr(kQueues.size());
    const auto slash = rest.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    return std::pair(std::string(rest.substr(0, 3)), std::string(rest.substr(slash + 1)));
  }

  /// All queues of a direction with one value become one write, so that a target with another number of queues is served too.
  void join_queues(std::size_t first) {
    const auto begin = std::ranges::find_if(plan_.writes.begin() + static_cast<std::ptrdiff_t>(first), plan_.writes.end(),
                                            [](const BundleWrite& write) { return queue_file(write).has_value(); });
    if (begin == plan_.writes.end()) return;
    const auto file = queue_file(*begin);
    const bool all_same = std::all_of(begin, plan_.writes.end(),
                                      [&](const BundleWrite& write) { return queue_file(write) == file && write.values == begin->values; });
    if (!all_same) return;
    const bool is_as_found = std::all_of(begin, plan_.writes.end(), [](const BundleWrite& write) { return is_unchanged(write); });
    const auto changed = std::find_if(begin, plan_.writes.end(), [](const BundleWrite& write) { return !is_unchanged(write); });
    BundleWrite joined{Kind::every_queue, file->first, file->second, begin->values, is_as_found ? begin->as_found : changed->as_found};
    plan_.writes.erase(begin, plan_.writes.end());
    plan_.writes.push_back(std::move(joined));
  }

  static bool is_unchanged(const BundleWrite& write) { return fmt::format("{}", fmt::join(write.values, " ")) == write.as_found; }

  void drop_unchanged(std::size_t first) {
    plan_.writes.erase(std::remove_if(plan_.writes.begin() + static_cast<std::ptrdiff_t>(first), plan_.writes.end(), is_unchanged),
                       plan_.writes.end());
  }

  BundlePlan& plan_;
};

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

bool needs_interface(const BundlePlan& plan) {
  return std::ranges::any_of(plan.writes, [](const BundleWrite& write) { return write.kind != BundleWrite::Kind::file; });
}

bool needs_script(const BundlePlan& plan) { return plan.writes.size() > plan.sysctls.size(); }

Expected<BundlePlan> plan_bundle(const BundleInput& input) {
  BundlePlan plan;
  plan.id = bundle_id(input);
  plan.slug = slug_of(input.study);
  plan.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", created_at(input));
  WriteBuilder builder(plan);
  for (const BundleSetting& setting : input.settings) NETSETTLE_TRY(builder.add(setting));
  return plan;
}

}  // namespace netsettle::tuner
