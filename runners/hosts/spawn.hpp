#pragma once
// fork and exec of one program, with everything a child needs to know settled before exec and every failure reported with its errno. For
// Process (children that die with netsettle) and for netsettle-guard (which must not).

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"
#include "runners/hosts/descriptor.hpp"
#include "runners/hosts/process.hpp"

namespace netsettle::runners {

enum class Kinship {
  dies_with_parent,  // own process group, SIGKILL when the forking thread ends
  own_session,       // setsid, no parent-death signal
};

struct SpawnPlan {
  std::vector<std::string> argv;                   // argv[0] is looked up in PATH unless it has a slash
  std::map<std::string, std::string> environment;  // added to the inherited one
  CpuSet cpus;                                     // empty: inherited
  MemoryPolicy memory = {};
  int standard[3] = {-1, -1, -1};  // become descriptors 0, 1 and 2
  std::vector<int> inherited;      // become descriptors 3, 4, …; all others are closed
  Kinship kinship = Kinship::dies_with_parent;
};

struct Spawned {
  pid_t pid = 0;
  Descriptor pidfd;
};

/// The program runs (exec succeeded) when this returns. All signals are default and unblocked in it. Failures: not_found ("no such
/// program"), permission_denied, unsupported where the kernel gave other CPUs than asked for; with "memory.policy" as subject where it
/// refused that.
Expected<Spawned> spawn(const SpawnPlan& plan);

}  // namespace netsettle::runners
