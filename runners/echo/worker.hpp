#pragma once
// One worker process of the echo server, from fork to exit.

#include <sys/types.h>

#include <optional>

#include "datasets/model/cpu_set.hpp"
#include "runners/echo/io_model.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

struct WorkerTask {
  const IoModel* io_model = nullptr;
  int socket = -1;
  std::optional<CpuId> cpu;  // absent: where the parent may run
  WorkerCounters* counters = nullptr;
  pid_t parent = 0;
  Descriptor report;  // write end of a pipe
};

/// Where the worker runs, as it found it itself; its first and only message.
struct WorkerGreeting {
  std::string cpus;     // CPU list that was read back
  std::string problem;  // why it cannot serve; empty: it serves
};

/// Runs in the child, with all signals still blocked. Pins itself before anything else, reports, serves until the parent sends SIGTERM,
/// and ends the process. It dies with its parent (parent-death signal).
[[noreturn]] void run_worker(WorkerTask task);

/// Reads a worker's message from the other end of the pipe; waits for it. A worker that died without one has a problem.
WorkerGreeting read_greeting(int pipe);

}  // namespace netsettle::runners
