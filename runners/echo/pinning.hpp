#pragma once
// Binding a process to one CPU, and proof that it holds.

#include <sys/types.h>

#include <optional>

#include "datasets/model/cpu_set.hpp"

namespace netsettle::runners {

/// Binds the calling process to `cpu`. To be called before anything else runs in it: later threads inherit the mask.
/// refused where the CPU does not exist, is offline or is not allowed.
Expected<void> pin_this_process(CpuId cpu);

/// Where the tasks of a process may run, read back from /proc/PID/task/*/status: the union of all of them. io, not_found.
Expected<CpuSet> allowed_cpus_of(pid_t process);

/// Pins the calling process (where `cpu` is given) and reads back. mismatch where a task may run elsewhere.
Expected<CpuSet> pin_and_verify(std::optional<CpuId> cpu);

}  // namespace netsettle::runners
