#pragma once
// A child process: an argument vector (never a shell), where it runs, and how it ends.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"
#include "runners/hosts/clock.hpp"

namespace netsettle::runners {

/// From which NUMA nodes a process takes its memory; its children inherit it.
struct MemoryPolicy {
  enum class Mode {
    inherited,
    standard,    // the kernel's own: near the CPU that asks, farther where there is none
    local,       // the same, whatever the starting process had
    bind,        // from `nodes` only
    interleave,  // page by page from one of `nodes` after the other
  } mode = Mode::inherited;
  std::set<int> nodes;  // of bind and interleave
};

/// The subject of errors that say why a process did not get its memory policy.
inline constexpr const char* kMemoryPolicy = "memory.policy";

struct ProcessSpec {
  std::vector<std::string> argv;                   // argv[0] is looked up in PATH unless it has a slash
  CpuSet cpus;                                     // set in the child before exec and read back; empty: inherited
  MemoryPolicy memory = {};                        // set in the child before exec; not over ssh
  std::string input;                               // written to its standard input, which is then closed
  std::map<std::string, std::string> environment;  // added to the inherited one
  std::size_t output_limit = 8 << 20;              // bytes kept of each stream: the first half and the last half
};

struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;
  std::optional<double> cpu_seconds;  // user and system time of it and of the descendants it has waited for
  bool ok() const { return code == 0; }
};

/// "exit 1", "signal 9".
std::string to_text(const ExitStatus& status);

class Process {
 public:
  /// A process that still runs is killed (SIGKILL to its process group) and reaped.
  virtual ~Process() = default;
  /// Its number on the machine where it runs.
  virtual pid_t pid() const = 0;
  /// The process of this machine to watch over instead: itself, or what stands here for one that runs elsewhere and ends with it.
  virtual pid_t watched_pid() const { return pid(); }
  virtual Expected<void> signal(int number) = 0;
  /// The exit status, or nullopt when it still runs after `timeout` or `stop` was set (seen within 50 ms). When the process has ended, what
  /// is left of its process group is killed.
  virtual std::optional<ExitStatus> wait(Microseconds timeout, const StopFlag* stop = nullptr) = 0;
  /// What it wrote so far; complete after wait() returned a status.
  virtual std::string standard_output() const = 0;
  virtual std::string standard_error() const = 0;
};

struct Finished {
  ExitStatus status;
  std::string standard_output;
  std::string standard_error;
};

}  // namespace netsettle::runners
