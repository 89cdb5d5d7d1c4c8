#pragma once
// What a program's processes use of the CPUs, and where they may run: the process, its threads, its children and theirs.

#include <sys/types.h>

#include "datasets/model/trial.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

/// Since the process exists; children that were waited for are in cpu_seconds (in steps of 10 ms). Switches are of the tasks that exist
/// now. `strays` has the tasks that may run on a CPU outside `wanted`; an empty `wanted` checks nothing. not_found where there is no such
/// process.
Expected<ProcessUse> read_process_use(Host& host, pid_t pid, const CpuSet& wanted);

/// What was used between two readings; tasks and strays are those of the later one, and strays that only the earlier one had.
ProcessUse use_between(const ProcessUse& before, const ProcessUse& after);

}  // namespace netsettle::runners
