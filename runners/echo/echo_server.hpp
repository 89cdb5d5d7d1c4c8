#pragma once
// The parent of the echo server's workers: starts them, waits for signals, ends them, adds up. It prints nothing.

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runners/echo/echo_socket.hpp"
#include "runners/echo/options.hpp"
#include "runners/echo/report.hpp"
#include "runners/echo/worker_counters.hpp"

namespace netsettle::runners {

/// What made the parent wake up.
enum class EchoEvent { stop, report, worker_ended };

class EchoServer {
 public:
  /// Binds the socket, forks the workers and waits until each has proved where it runs. Blocks SIGTERM, SIGINT, SIGUSR1 and SIGCHLD in
  /// the process (from here on they are taken by wait() only) and ignores SIGPIPE. Must be called by the only thread, which must outlive
  /// the object: workers get SIGKILL when it ends. Failures: those of EchoSocket::bind; mismatch or refused where a worker cannot be
  /// pinned as asked; no worker is left then.
  static Expected<std::unique_ptr<EchoServer>> start(const EchoOptions& options);

  /// Ends the workers that still run.
  ~EchoServer();
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

  /// Blocks until SIGTERM or SIGINT, SIGUSR1, or the end of a worker that nobody asked to end.
  EchoEvent wait();

  /// Ends all workers: SIGTERM until they have finished the datagram at hand, SIGKILL after two seconds. Idempotent.
  void stop();

  /// The counts so far; the final ones after stop().
  EchoReport report();

  /// "worker 1 (process 4711) was killed by signal 11" for a worker that ended before stop().
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  struct Worker {
    pid_t pid = 0;
    std::optional<CpuId> wanted_cpu;
    std::string cpus;  // read back
    bool running = true;
    double cpu_seconds = 0;  // of an ended worker
  };

  EchoServer(EchoSocket socket, SharedCounters counters) : socket_(std::move(socket)), counters_(std::move(counters)) {}
  Expected<void> start_workers(const EchoOptions& options);
  Expected<Descriptor> start_worker(const EchoOptions& options, std::size_t index);
  void reap();
  void note_unexpected_end(std::size_t index, int status);
  bool any_running() const;
  void read_masks();

  EchoSocket socket_;
  SharedCounters counters_;
  std::vector<Worker> workers_;
  std::optional<std::string> failure_;
  bool stopping_ = false;
};

}  // namespace netsettle::runners
