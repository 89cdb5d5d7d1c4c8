#include "runners/echo/echo_server.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>

#include <fmt/format.h>

#include "runners/echo/pinning.hpp"
#include "runners/echo/worker.hpp"

namespace netsettle::runners {
namespace {

using namespace std::chrono_literals;

// A stop signal that comes between a worker's look at its flag and its recvfrom does not wake it: it is sent again.
constexpr auto kStopInterval = 10ms;
constexpr int kStopAttempts = 200;

sigset_t signals_of_interest() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGUSR1, SIGCHLD}) sigaddset(&signals, number);
  return signals;
}

sigset_t child_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  return signals;
}

void wait_for_child(std::chrono::nanoseconds at_most) {
  const sigset_t signals = child_signal();
  const timespec timeout{0, at_most.count()};
  sigtimedwait(&signals, nullptr, &timeout);
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

/// Of a process that runs (or has ended and was not waited for).
double cpu_seconds_of(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

Expected<std::unique_ptr<EchoServer>> EchoServer::start(const EchoOptions& options) {
  NETSETTLE_ASSIGN(EchoSocket socket, EchoSocket::bind(options.address, options.port));
  NETSETTLE_ASSIGN(SharedCounters counters, SharedCounters::allocate(static_cast<std::size_t>(options.processes)));
  std::unique_ptr<EchoServer> server(new EchoServer(std::move(socket), std::move(counters)));
  // Blocked before the first fork and until the worker has set its handlers: no signal falls between.
  const sigset_t signals = signals_of_interest();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGCHLD, SIG_DFL);  // inherited as ignored, children would be reaped by nobody
  std::signal(SIGPIPE, SIG_IGN);
  NETSETTLE_TRY(server->start_workers(options));
  return server;
}

Expected<void> EchoServer::start_workers(const EchoOptions& options) {
  std::vector<Descriptor> pipes;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    NETSETTLE_ASSIGN(Descriptor pipe, start_worker(options, i));
    pipes.push_back(std::move(pipe));
  }
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    const WorkerGreeting greeting = read_greeting(pipes[i].get());
    if (!greeting.problem.empty()) return fail(ErrorCode::mismatch, fmt::format("worker {}", i), greeting.problem);
    workers_[i].cpus = greeting.cpus;
  }
  return {};
}

Expected<Descriptor> EchoServer::start_worker(const EchoOptions& options, std::size_t index) {
  const std::string subject = fmt::format("worker {}", index);
  int ends[2];
  if (pipe(ends) != 0) return std::unexpected(errno_error(errno, subject, "no pipe"));
  Descriptor read_end(ends[0]), write_end(ends[1]);
  std::optional<CpuId> cpu;
  if (!options.cpus.empty()) cpu = options.cpus[index % options.cpus.size()];
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return std::unexpected(errno_error(errno, subject, "cannot be forked"));
  if (pid == 0)
    run_worker({.io_model = options.io_model,
                .socket = socket_.descriptor(),
                .cpu = cpu,
                .counters = &counters_[index],
                .parent = parent,
                .report = std::move(write_end)});
  workers_.push_back({.pid = pid, .wanted_cpu = cpu});
  return read_end;
}

EchoServer::~EchoServer() { stop(); }

EchoEvent EchoServer::wait() {
  const sigset_t signals = signals_of_interest();
  for (;;) {
    switch (sigwaitinfo(&signals, nullptr)) {
      case SIGTERM:
      case SIGINT:
        return EchoEvent::stop;
      case SIGUSR1:
        return EchoEvent::report;
      case SIGCHLD:
        reap();
        if (failure_) return EchoEvent::worker_ended;
        break;
      default:
        break;  // EINTR after SIGSTOP and SIGCONT
    }
  }
}

void EchoServer::stop() {
  if (!std::exchange(stopping_, true)) read_masks();
  for (int attempt = 0; any_running(); ++attempt) {
    for (const Worker& worker : workers_)
      if (worker.running) kill(worker.pid, attempt < kStopAttempts ? SIGTERM : SIGKILL);
    wait_for_child(kStopInterval);
    reap();
  }
}

void EchoServer::reap() {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = workers_[i];
    int status = 0;
    rusage usage{};
    if (!worker.running || wait4(worker.pid, &status, WNOHANG, &usage) != worker.pid) continue;
    worker.running = false;
    worker.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    if (!stopping_) note_unexpected_end(i, status);
  }
}

void EchoServer::note_unexpected_end(std::size_t index, int status) {
  if (failure_) return;
  const std::string how = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                              : fmt::format("ended by itself with exit status {}", WEXITSTATUS(status));
  failure_ = fmt::format("worker {} (process {}) {}", index, workers_[index].pid, how);
}

bool EchoServer::any_running() const { return std::ranges::any_of(workers_, &Worker::running); }

void EchoServer::read_masks() {
  for (Worker& worker : workers_)
    if (worker.running)
      if (const auto cpus = allowed_cpus_of(worker.pid); cpus && !cpus->empty()) worker.cpus = to_cpu_list(*cpus);
}

EchoReport EchoServer::report() {
  if (!stopping_) read_masks();
  EchoReport report{.receive_buffer = socket_.receive_buffer(), .send_buffer = socket_.send_buffer()};
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const Worker& worker = workers_[i];
    const WorkerCounters& counters = counters_[i];
    report.workers.push_back({.process = static_cast<int>(i),
                              .pid = worker.pid,
                              .cpus = worker.cpus,
                              .received = counters.received,
                              .answered = counters.answered,
                              .malformed = counters.malformed,
                              .not_queries = counters.not_queries,
                              .errors = counters.errors});
    report.cpu_seconds += worker.running ? cpu_seconds_of(worker.pid) : worker.cpu_seconds;
    if (worker.wanted_cpu && worker.cpus != to_cpu_list({*worker.wanted_cpu})) ++report.unpinned;
  }
  return report;
}

}  // namespace netsettle::runners
