#include "runners/settings/process_identity.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "runners/hosts/files.hpp"
#include "runners/hosts/pidfd.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

struct StatLine {
  char state = '?';
  std::int64_t group = 0;
  std::int64_t start = 0;
};

/// The fields after the program's name, which may itself contain spaces and parentheses: state is the first of them (3rd of the line,
/// proc(5)).
std::optional<StatLine> read_stat(std::int64_t pid) {
  const auto text = read_whole_file(fmt::format("/proc/{}/stat", pid));
  if (!text) return std::nullopt;
  const auto name_end = text->rfind(") ");
  if (name_end == std::string::npos || name_end + 3 >= text->size()) return std::nullopt;
  constexpr std::size_t kGroup = 5 - 4, kStart = 22 - 4;  // the numbers begin with field 4
  // Only as far as needed: a later field (the limit of the resident set) does not fit 64 bits with a sign.
  std::size_t end = name_end + 3;
  for (std::size_t number = 0; number <= kStart && end != std::string::npos; ++number) end = text->find(' ', end + 1);
  const auto numbers = decimals(std::string_view(*text).substr(name_end + 3, end - name_end - 3));
  if (!numbers || numbers->size() <= kStart) return std::nullopt;
  return StatLine{(*text)[name_end + 2], (*numbers)[kGroup], (*numbers)[kStart]};
}

void kill_group(const ProcessIdentity& process, LeaderlessGroups leaderless) {
  const auto now = read_stat(process.pid);
  const bool is_leader = now && now->start == process.start && now->group == process.pid;
  if (is_leader || (!now && leaderless == LeaderlessGroups::end)) ::kill(static_cast<pid_t>(-process.pid), SIGKILL);
}

/// A descriptor for the process, once its identity is certain: after pidfd_open the number cannot come to mean another process unnoticed.
Descriptor open_running(const ProcessIdentity& process) {
  Descriptor pidfd = open_pidfd(static_cast<pid_t>(process.pid));
  if (!pidfd || !is_running(process)) return {};
  return pidfd;
}

}  // namespace

std::optional<ProcessIdentity> identify(std::int64_t pid) {
  const auto stat = read_stat(pid);
  if (!stat) return std::nullopt;
  return ProcessIdentity{pid, stat->start};
}

ProcessIdentity own_identity() { return identify(::getpid()).value_or(ProcessIdentity{::getpid(), 0}); }

bool is_running(const ProcessIdentity& process) {
  const auto stat = read_stat(process.pid);
  return stat && stat->start == process.start && stat->state != 'Z' && stat->state != 'X';
}

bool end_processes(std::span<const ProcessIdentity> processes, std::chrono::milliseconds patience, LeaderlessGroups leaderless) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::vector<Descriptor> ending;
  for (const auto& process : processes) {
    Descriptor pidfd = open_running(process);
    kill_group(process, leaderless);
    if (!pidfd) continue;
    send_signal(pidfd, SIGKILL);
    ending.push_back(std::move(pidfd));
  }
  return std::ranges::all_of(ending, [&](const Descriptor& pidfd) {
    return await_readable(pidfd, std::chrono::ceil<std::chrono::microseconds>(deadline - std::chrono::steady_clock::now()));
  });
}

}  // namespace netsettle::runners
