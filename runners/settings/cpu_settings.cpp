// cpu.* and sched.*: how CPUs save power, and the scheduler's own times. All of the whole machine. Virtual machines have few of them.

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

const std::string kCpus = "/sys/devices/system/cpu";

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const auto end = std::min(text.find_first_of(" \t\n"), text.size());
    words.emplace_back(text.substr(0, end));
    text = text.substr(end);
  }
  return words;
}

ResolvedSetting of_the_machine() {
  ResolvedSetting setting;
  setting.scope = SettingScope::host;
  return setting;
}

bool exists(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  return text || text.error().code != ErrorCode::not_found;
}

/// `below` of every numbered folder that has it: "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor" ….
std::vector<SettingFile> files_below(const SettingContext& context, const std::string& folder, std::string_view word,
                                     const std::string& below, Comparator comparator) {
  std::vector<SettingFile> files;
  for (const auto& name : numbered(*context.host, folder, word)) {
    const std::string path = fmt::format("{}/{}/{}", folder, name, below);
    if (exists(*context.host, path)) files.push_back({path, context.host->network_namespace(), comparator, number_in(name)});
  }
  return files;
}

// ---- governor and energy preference ------------------------------------------------------------

Expected<ResolvedSetting> find_words(const SettingContext& context, const std::string& name) {
  const bool is_governor = name == "cpu.governor";
  const std::string policies = kCpus + "/cpufreq";
  ResolvedSetting setting = of_the_machine();
  setting.files =
      files_below(context, policies, "policy", is_governor ? "scaling_governor" : "energy_performance_preference", Comparator::exact);
  if (setting.files.empty())
    return fail(ErrorCode::unsupported, name,
                is_governor ? "the kernel does not control CPU frequencies here (usual in virtual machines)"
                            : "this machine's CPU frequency driver has no energy preference");
  const std::string& first = setting.files.front().path;
  const auto words = context.host->read_file(first.substr(0, first.rfind('/')) +
                                             (is_governor ? "/scaling_available_governors" : "/energy_performance_available_preferences"));
  if (words) setting.words = words_in(*words);
  return setting;
}

// ---- boost -------------------------------------------------------------------------------------

constexpr std::string_view kNoTurbo = "no_turbo";

bool is_inverted(const ResolvedSetting& setting) { return setting.files.front().path.ends_with(kNoTurbo); }

/// intel_pstate's own file says the opposite, and counts where both exist.
Expected<ResolvedSetting> find_boost(const SettingContext& context, const std::string& name) {
  for (const char* path : {"/intel_pstate/no_turbo", "/cpufreq/boost"}) {
    if (!exists(*context.host, kCpus + path)) continue;
    ResolvedSetting setting = of_the_machine();
    setting.files.push_back({kCpus + path, context.host->network_namespace(), Comparator::number});
    return setting;
  }
  return fail(ErrorCode::unsupported, name, "this machine has no switch for frequencies above the nominal one");
}

Expected<Texts> boost_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t on, bounded_number(setting, value));
  return Texts{is_inverted(setting) ? (on == 0 ? "1" : "0") : fmt::format("{}", on)};
}

Value boost_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& texts) {
  const Value plain = plain_value(context, setting, texts);
  const auto* number = std::get_if<std::int64_t>(&plain);
  return number != nullptr && is_inverted(setting) ? Value(std::int64_t{*number == 0 ? 1 : 0}) : plain;
}

// ---- idle states -------------------------------------------------------------------------------

/// One file per CPU and idle state. The value is the deepest state that is allowed; state 0 always is.
Expected<ResolvedSetting> find_idle(const SettingContext& context, const std::string& name) {
  ResolvedSetting setting = of_the_machine();
  int deepest = 0;
  for (const auto& cpu : numbered(*context.host, kCpus, "cpu")) {
    const std::string folder = fmt::format("{}/{}/cpuidle", kCpus, cpu);
    for (auto& file : files_below(context, folder, "state", "disable", Comparator::number)) {
      deepest = std::max(deepest, file.part);
      setting.files.push_back(std::move(file));
    }
  }
  if (setting.files.empty()) return fail(ErrorCode::unsupported, name, "the kernel does not choose idle states here");
  setting.largest = deepest;
  return setting;
}

Texts idle_texts_of(const ResolvedSetting& setting, std::int64_t deepest) {
  Texts texts;
  for (const auto& file : setting.files) texts.emplace_back(file.part > deepest ? "1" : "0");
  return texts;
}

Expected<Texts> idle_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t deepest, bounded_number(setting, value));
  return idle_texts_of(setting, deepest);
}

Value idle_value(const SettingContext&, const ResolvedSetting& setting, const Texts& texts) {
  Texts canonical;
  for (const auto& text : texts) canonical.push_back(canonical_text(Comparator::number, text));
  for (std::int64_t deepest = 0; deepest <= setting.largest.value_or(0); ++deepest)
    if (idle_texts_of(setting, deepest) == canonical) return deepest;
  return joined(setting, texts);
}

// ---- latency -----------------------------------------------------------------------------------

// Per CPU, in a file that keeps its value. /dev/cpu_dma_latency asks for the same of all CPUs, but only while somebody holds it open.
// "0" in the file is no wish at all, "n/a" is that no latency is allowed (Documentation/ABI/testing/sysfs-devices-power).
constexpr std::string_view kNoWish = "none";

Expected<ResolvedSetting> find_latency(const SettingContext& context, const std::string& name) {
  ResolvedSetting setting = of_the_machine();
  setting.files = files_below(context, kCpus, "cpu", "power/pm_qos_resume_latency_us", Comparator::exact);
  if (setting.files.empty()) return fail(ErrorCode::unsupported, name, "this kernel takes no wishes for wake-up times of CPUs");
  return setting;
}

Expected<Texts> latency_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t us, bounded_number(setting, value));
  return Texts(setting.files.size(), us == 0 ? "n/a" : fmt::format("{}", us));
}

Value latency_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& texts) {
  const Value plain = plain_value(context, setting, texts);
  const std::string text = to_text(plain);
  if (text == "0") return std::string(kNoWish);
  if (text == "n/a") return std::int64_t{0};
  const auto us = decimal(text);
  return us ? Value(*us) : plain;
}

// ---- scheduler ---------------------------------------------------------------------------------

/// Where the value has been in the course of time: debugfs since 5.13, sysctls before; base_slice was min_granularity up to 6.5.
std::vector<std::string> scheduler_paths(const std::string& name) {
  const std::string key = name.substr(name.find('.') + 1);
  const std::string before = key == "base_slice_ns" ? "min_granularity_ns" : key;
  return {"/sys/kernel/debug/sched/" + key, "/sys/kernel/debug/sched/" + before, "/proc/sys/kernel/sched_" + before};
}

/// "none (voluntary) full": the words that preempt takes.
std::string without_brackets(std::string text) {
  std::erase_if(text, [](char c) { return std::string_view("()[]").contains(c); });
  return text;
}

Expected<ResolvedSetting> find_scheduler(const SettingContext& context, const std::string& name) {
  for (const auto& path : scheduler_paths(name)) {
    const auto text = context.host->read_file(path);
    if (!text && text.error().code == ErrorCode::not_found) continue;
    if (!text && text.error().errno_value == EPERM)  // under lockdown reading is refused too
      return fail(ErrorCode::permission_denied, name, "the kernel is locked down (Secure Boot): root may not use debugfs either");
    ResolvedSetting setting = of_the_machine();
    const bool is_choice = name == "sched.preempt";
    setting.files.push_back({path, context.host->network_namespace(), is_choice ? Comparator::exact : Comparator::number});
    if (is_choice) setting.words = words_in(without_brackets(*text));
    return setting;
  }
  return fail(ErrorCode::unsupported, name, "this kernel does not have it, or debugfs is not mounted on /sys/kernel/debug");
}

}  // namespace

Family cpu_words(std::string_view name) { return {name, find_words, plain_texts, plain_value}; }
Family cpu_boost() { return {"cpu.boost", find_boost, boost_texts, boost_value}; }
Family cpu_idle_states() { return {"cpu.idle", find_idle, idle_texts, idle_value}; }
Family cpu_latency() { return {"cpu.dma_latency", find_latency, latency_texts, latency_value}; }
Family scheduler() { return {"sched.", find_scheduler, plain_texts, plain_value}; }

}  // namespace netsettle::runners
