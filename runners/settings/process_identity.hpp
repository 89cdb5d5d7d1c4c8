#pragma once
// Which process a pid means: pids are used again, a pid with its start time is not.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace netsettle::runners {

struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start = 0;  // clock ticks since boot, field 22 of /proc/PID/stat
  bool operator==(const ProcessIdentity&) const = default;
};

/// nullopt where no such process exists.
std::optional<ProcessIdentity> identify(std::int64_t pid);
ProcessIdentity own_identity();
/// Still the same process, and not a zombie.
bool is_running(const ProcessIdentity& process);

/// What to do with a process group whose leader has already ended. Its number may have been given away since: only whoever acts within
/// moments of the leader's end (netsettle-guard) may still end it.
enum class LeaderlessGroups { leave, end };

/// Sends SIGKILL to the processes and to the process groups that they lead, and waits until they have ended. False where one still runs
/// after `patience`. A pid that is another process's by now is not touched.
bool end_processes(std::span<const ProcessIdentity> processes, std::chrono::milliseconds patience, LeaderlessGroups leaderless);

}  // namespace netsettle::runners
