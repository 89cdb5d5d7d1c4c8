#pragma once
// What the echo server prints: who received and answered how much, where, and at what cost.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace netsettle::runners {

struct EchoWorkerReport {
  int process = 0;  // 0, 1, …
  int thread = 0;   // within the process
  pid_t pid = 0, tid = 0;
  std::string cpus;                                                                      // CPU list, read back
  std::size_t socket = 0;                                                                // index in EchoReport::sockets
  std::uint64_t received = 0, answered = 0, malformed = 0, not_queries = 0, errors = 0;  // as in WorkerCounters
};

/// Bytes. Asked for 0: the kernel's default. Granted: with the kernel's bookkeeping, twice what was asked for, within its limits.
struct EchoSocketReport {
  std::int64_t requested_receive_buffer = 0, receive_buffer = 0;
  std::int64_t requested_send_buffer = 0, send_buffer = 0;
};

struct EchoReport {
  std::vector<EchoWorkerReport> workers;
  std::vector<EchoSocketReport> sockets;
  double cpu_seconds = 0;           // user + system of all worker processes
  std::int64_t receive_buffer = 0;  // bytes, the smallest that was granted
  std::int64_t send_buffer = 0;
  int unpinned = 0;  // workers, and threads that the kernel runs for them, that are not where they were asked to be
};

/// One line of JSON without the line end.
std::string to_json(const EchoReport& report);

}  // namespace netsettle::runners
