#pragma once
// One worker process of the echo server with its threads, from fork to exit.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "runners/echo/io_model.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

struct WorkerThread {
  int socket = -1;
  std::optional<CpuId> cpu;            // absent: where the parent may run
  WorkerCounters* counters = nullptr;  // with the thread's id
};

struct WorkerProcess {
  const IoModel* io_model = nullptr;
  int batch = 1;
  std::vector<WorkerThread> threads;  // at least one
  pid_t parent = 0;
  Descriptor report;  // write end of a pipe
};

/// Runs in the child, with all signals still blocked. Pins each thread before anything else, prepares the I/O model in each, says that it
/// serves, serves until the parent sends SIGTERM to each thread, and ends the process. It dies with its parent (parent-death signal).
[[noreturn]] void run_worker(WorkerProcess process);

/// Reads a worker's first and only message from the other end of the pipe; waits for it. Absent: it serves. Otherwise the reason why it
/// cannot; a worker that died without a message has one too.
std::optional<std::string> read_problem(int pipe);

}  // namespace netsettle::runners
