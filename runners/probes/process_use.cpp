#include "runners/probes/process_use.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

constexpr double kTicksPerSecond = 100;  // USER_HZ, in which /proc counts on every architecture of interest

struct ProcessStat {
  pid_t parent = 0;
  std::uint64_t ticks = 0;  // user and system, of all its threads that were and are, and of children that were waited for
};

/// "PID (name, which may have anything in it) state ppid …", proc(5).
std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  enum Field : std::size_t { parent = 1, user = 11, system, children_user, children_system, least };  // after the name
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto words = split_words(text.substr(name_end + 1));
  if (words.size() < least) return std::nullopt;
  ProcessStat stat;
  const auto parent_pid = whole_number<pid_t>(words[parent]);
  if (!parent_pid) return std::nullopt;
  stat.parent = *parent_pid;
  for (const Field field : {user, system, children_user, children_system}) {
    const auto ticks = whole_number<std::uint64_t>(words[field]);
    if (!ticks) return std::nullopt;
    stat.ticks += *ticks;
  }
  return stat;
}

std::string folder_of(pid_t pid) { return fmt::format("/proc/{}/", pid); }

std::optional<ProcessStat> stat_of(Host& host, pid_t pid) {
  const auto text = host.read_file(folder_of(pid) + "stat");
  return text ? parse_process_stat(*text) : std::nullopt;
}

std::vector<pid_t> numbers_in(Host& host, const std::string& folder) {
  std::vector<pid_t> numbers;
  const auto names = host.list_directory(folder);
  for (const std::string& name : names.value_or(std::vector<std::string>()))
    if (const auto number = whole_number<pid_t>(name)) numbers.push_back(*number);
  return numbers;
}

using Family = std::map<pid_t, ProcessStat>;

/// The children of all threads of a process, by the kernel's own lists. Absent where the kernel has none: they are an option.
std::optional<std::vector<pid_t>> children_of(Host& host, pid_t pid) {
  std::vector<pid_t> children;
  const std::string tasks = folder_of(pid) + "task";
  for (const pid_t task : numbers_in(host, tasks)) {
    const auto text = host.read_file(fmt::format("{}/{}/children", tasks, task));
    if (!text && task == pid) return std::nullopt;
    if (!text) continue;  // it has ended
    for (const std::string_view word : split_words(*text))
      if (const auto child = whole_number<pid_t>(word)) children.push_back(*child);
  }
  return children;
}

/// From parent to child: a handful of files, which counts where each one is fetched from another machine.
std::optional<Family> family_by_lists(Host& host, pid_t ancestor) {
  Family family;
  std::vector<pid_t> unseen = {ancestor};
  while (!unseen.empty()) {
    const pid_t pid = unseen.back();
    unseen.pop_back();
    const auto stat = stat_of(host, pid);
    if (!stat) continue;  // it has ended
    family.emplace(pid, *stat);
    const auto children = children_of(host, pid);
    if (!children && pid == ancestor) return std::nullopt;
    if (children) std::ranges::copy_if(*children, std::back_inserter(unseen), [&](pid_t child) { return !family.contains(child); });
  }
  return family;
}

/// By the parents of all processes.
Family family_by_parents(Host& host, pid_t ancestor) {
  Family family, others;
  for (const pid_t pid : numbers_in(host, "/proc"))
    if (const auto stat = stat_of(host, pid)) (pid == ancestor ? family : others).emplace(pid, *stat);
  if (family.empty()) return family;
  for (bool grows = true; grows;) {
    grows = std::erase_if(others, [&](const auto& process) {
              if (!family.contains(process.second.parent)) return false;
              family.insert(process);
              return true;
            }) > 0;
  }
  return family;
}

/// The process and all below it.
Family family_of(Host& host, pid_t ancestor) {
  auto family = family_by_lists(host, ancestor);
  return family ? std::move(*family) : family_by_parents(host, ancestor);
}

std::optional<std::string_view> status_field(std::string_view text, std::string_view name) {
  for (const std::string_view line : split_lines(text))
    if (line.starts_with(name)) return trimmed(line.substr(name.size()));
  return std::nullopt;
}

std::int64_t count_in(std::string_view text, std::string_view name) {
  const auto field = status_field(text, name);
  return field ? whole_number<std::int64_t>(*field).value_or(0) : 0;
}

void add_task(ProcessUse& use, std::string_view status, pid_t task, const CpuSet& wanted) {
  ++use.tasks;
  use.voluntary_switches += count_in(status, "voluntary_ctxt_switches:");
  use.involuntary_switches += count_in(status, "nonvoluntary_ctxt_switches:");
  const auto list = status_field(status, "Cpus_allowed_list:");
  const auto cpus = list ? parse_cpu_list(*list) : Expected<CpuSet>();
  if (wanted.empty() || !cpus || std::ranges::includes(wanted, *cpus)) return;
  use.strays.push_back(fmt::format("thread {} ({}) may run on {}", task, status_field(status, "Name:").value_or("?"), to_cpu_list(*cpus)));
}

}  // namespace

Expected<ProcessUse> read_process_use(Host& host, pid_t pid, const CpuSet& wanted) {
  const auto family = family_of(host, pid);
  if (family.empty()) return fail(ErrorCode::not_found, fmt::format("process {}", pid), "is not there");
  ProcessUse use;
  std::uint64_t ticks = 0;
  for (const auto& [member, stat] : family) {
    ticks += stat.ticks;
    const std::string tasks = folder_of(member) + "task";
    for (const pid_t task : numbers_in(host, tasks))
      if (const auto status = host.read_file(fmt::format("{}/{}/status", tasks, task))) add_task(use, *status, task, wanted);
  }
  use.cpu_seconds = static_cast<double>(ticks) / kTicksPerSecond;
  return use;
}

ProcessUse use_between(const ProcessUse& before, const ProcessUse& after) {
  ProcessUse use = after;
  use.cpu_seconds = std::max(0.0, after.cpu_seconds - before.cpu_seconds);
  use.voluntary_switches = std::max<std::int64_t>(0, after.voluntary_switches - before.voluntary_switches);
  use.involuntary_switches = std::max<std::int64_t>(0, after.involuntary_switches - before.involuntary_switches);
  for (const std::string& stray : before.strays)
    if (std::ranges::find(use.strays, stray) == use.strays.end()) use.strays.push_back(stray);
  return use;
}

}  // namespace netsettle::runners
