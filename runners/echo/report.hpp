#pragma once
// What the echo server prints: who received and answered how much, where, and at what cost.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace netsettle::runners {

struct EchoWorkerReport {
  int process = 0;  // 0, 1, …
  pid_t pid = 0;
  std::string cpus;                                                                      // CPU list, read back
  std::uint64_t received = 0, answered = 0, malformed = 0, not_queries = 0, errors = 0;  // as in WorkerCounters
};

struct EchoReport {
  std::vector<EchoWorkerReport> workers;
  double cpu_seconds = 0;           // user + system of all workers
  std::int64_t receive_buffer = 0;  // bytes, as granted
  std::int64_t send_buffer = 0;
  int unpinned = 0;  // workers that are not where they were asked to be
};

/// One line of JSON without the line end.
std::string to_json(const EchoReport& report);

}  // namespace netsettle::runners
