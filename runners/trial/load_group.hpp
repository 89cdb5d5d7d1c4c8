#pragma once
// The load's processes of one trial: started together, on CPUs of their own where there are enough, interrupted together, added up.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runners/loads/load.hpp"
#include "runners/settings/guard.hpp"

namespace netsettle::runners {

class LoadGroup {
 public:
  /// Everything is borrowed.
  LoadGroup(const Load& load, Host& client, SettingsGuard& guard) : load_(load), client_(client), guard_(guard) {}

  /// Starts section.instances processes. Instance i has the source ports behind those of instance i-1, and its part of `cpus`; where there
  /// are fewer CPUs than instances they share them. What is recorded of a command line or an output does not have the target's TSIG key.
  Expected<void> start(const LoadSection& section, const LoadTarget& target, const CpuSet& cpus);

  /// Waits until all have ended, `timeout` has passed or `stop` was set. True when all have ended.
  bool wait(Microseconds timeout, const StopFlag* stop = nullptr);
  /// SIGINT, which makes a generator print what it has; SIGKILL for those that still run after `patience`.
  void interrupt(Microseconds patience);

  /// After the end: all outputs as one report; nothing where no process was started.
  std::optional<LoadReport> report() const;
  /// Command lines and outputs: "load.argv", "load.stdout", "load.stderr"; those of further instances are "load.2.argv" ….
  std::vector<Artifact> artifacts() const;
  /// The first process that did not end well, and its first words; nothing where all did.
  std::optional<std::string> failure() const;
  /// CPU time of all; absent where one has not ended.
  std::optional<double> cpu_seconds() const;

  struct Task {
    pid_t pid;
    CpuSet cpus;
  };
  /// Those that were started, with the CPUs that each was given.
  std::vector<Task> tasks() const;

 private:
  struct Instance {
    std::unique_ptr<Process> process;
    std::vector<std::string> argv;
    CpuSet cpus;
    std::optional<ExitStatus> ended;
  };

  std::string public_text(std::string text) const;

  const Load& load_;
  Host& client_;
  SettingsGuard& guard_;
  std::string secret_;
  std::vector<Instance> instances_;
};

/// The i-th of n parts of a CPU set, in its order: neighbours stay together; with fewer CPUs than parts some share one.
CpuSet part_of(const CpuSet& cpus, int index, int parts);

/// "it wrote nothing", or the first line of a program's words.
std::string first_words(const std::string& text);

}  // namespace netsettle::runners
