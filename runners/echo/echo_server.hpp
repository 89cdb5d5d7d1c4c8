#pragma once
// The parent of the echo server's workers: starts them, waits for signals, ends them, adds up. It prints nothing.
// A worker is one thread; worker i is thread i mod T of process i div T.

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runners/echo/echo_sockets.hpp"
#include "runners/echo/options.hpp"
#include "runners/echo/report.hpp"
#include "runners/echo/worker_counters.hpp"

namespace netsettle::runners {

/// What made the parent wake up.
enum class EchoEvent { stop, report, worker_ended };

class EchoServer {
 public:
  /// Binds the sockets, forks the worker processes, waits until each thread is ready to serve and reads back where each of them may run.
  /// Blocks SIGTERM, SIGINT, SIGUSR1 and SIGCHLD in the process (from here on they are taken by wait() only) and ignores SIGPIPE. Must be
  /// called by the only thread, which must outlive the object: workers get SIGKILL when it ends. Failures: those of EchoSockets::bind;
  /// mismatch or refused where a worker cannot be pinned as asked, or its I/O model is not available; no worker is left then.
  static Expected<std::unique_ptr<EchoServer>> start(const EchoOptions& options);

  /// Ends the workers that still run.
  ~EchoServer();
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

  /// Blocks until SIGTERM or SIGINT, SIGUSR1, or the end of a worker that nobody asked to end.
  EchoEvent wait();

  /// Ends all workers: SIGTERM until they have finished what they have read, SIGKILL after five seconds. Idempotent.
  void stop();

  /// The counts so far; the final ones after stop().
  EchoReport report();

  /// "worker 1 (process 4711) was killed by signal 11" for a process that ended before stop(), or had to be killed by it.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  struct Process {
    pid_t pid = 0;
    bool running = true;
    double cpu_seconds = 0;  // of an ended process
    int stray_threads = 0;   // neither workers nor on their CPUs
  };
  struct Worker {
    std::optional<CpuId> wanted_cpu;
    std::string cpus;  // read back
  };

  EchoServer(const EchoOptions& options, EchoSockets sockets, SharedCounters counters);
  Expected<void> start_processes();
  Expected<Descriptor> start_process(std::size_t process);
  Expected<void> verify_placement();
  void signal_threads(std::size_t process, int signal) const;
  void reap();
  void note_end(std::size_t process, int status);
  bool any_running() const;
  void read_masks();
  void read_masks(std::size_t process);
  int unpinned() const;
  std::size_t threads() const { return static_cast<std::size_t>(options_.threads); }

  const EchoOptions options_;
  EchoSockets sockets_;
  SharedCounters counters_;
  std::vector<Process> processes_;
  std::vector<Worker> workers_;
  std::optional<std::string> failure_;
  bool stopping_ = false;
};

}  // namespace netsettle::runners
