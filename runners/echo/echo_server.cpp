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

// A stop signal that comes between a worker's look at its flag and its system call does not wake it: it is sent again.
constexpr auto kStopInterval = 2ms;
constexpr auto kStopLimit = 5s;

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

SocketRequest socket_request(const EchoOptions& options) {
  return {.address = options.address,
          .port = options.port,
          .sharing = options.sharing,
          .workers = static_cast<std::size_t>(options.processes) * static_cast<std::size_t>(options.threads),
          .cpus = options.cpus,
          .receive_buffer = options.receive_buffer,
          .send_buffer = options.send_buffer,
          .busy_poll = options.busy_poll};
}

}  // namespace

Expected<std::unique_ptr<EchoServer>> EchoServer::start(const EchoOptions& options) {
  // Blocked before anything else and until a worker has set its handlers: no signal falls between.
  const sigset_t signals = signals_of_interest();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGCHLD, SIG_DFL);  // inherited as ignored, children would be reaped by nobody
  std::signal(SIGPIPE, SIG_IGN);
  const SocketRequest request = socket_request(options);
  NETSETTLE_ASSIGN(EchoSockets sockets, EchoSockets::bind(request));
  NETSETTLE_ASSIGN(SharedCounters counters, SharedCounters::allocate(request.workers));
  std::unique_ptr<EchoServer> server(new EchoServer(options, std::move(sockets), std::move(counters)));
  NETSETTLE_TRY(server->start_processes());
  NETSETTLE_TRY(server->verify_placement());
  return server;
}

EchoServer::EchoServer(const EchoOptions& options, EchoSockets sockets, SharedCounters counters)
    : options_(options), sockets_(std::move(sockets)), counters_(std::move(counters)), workers_(counters_.size()) {
  if (options_.cpus.empty()) return;
  for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i].wanted_cpu = options_.cpus[i % options_.cpus.size()];
}

Expected<void> EchoServer::start_processes() {
  std::vector<Descriptor> pipes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(options_.processes); ++i) {
    NETSETTLE_ASSIGN(Descriptor pipe, start_process(i));
    pipes.push_back(std::move(pipe));
  }
  for (std::size_t i = 0; i < pipes.size(); ++i)
    if (const auto problem = read_problem(pipes[i].get())) return fail(ErrorCode::mismatch, fmt::format("worker {}", i), *problem);
  return {};
}

Expected<Descriptor> EchoServer::start_process(std::size_t process) {
  const std::string subject = fmt::format("worker {}", process);
  int ends[2];
  if (pipe(ends) != 0) return std::unexpected(errno_error(errno, subject, "no pipe"));
  Descriptor read_end(ends[0]), write_end(ends[1]);
  std::vector<WorkerThread> served;
  for (std::size_t i = process * threads(); i < (process + 1) * threads(); ++i)
    served.push_back(
        {.socket = sockets_.descriptor(sockets_.index_of_worker(i)), .cpu = workers_[i].wanted_cpu, .counters = &counters_[i]});
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return std::unexpected(errno_error(errno, subject, "cannot be forked"));
  if (pid == 0)
    run_worker({.io_model = options_.io_model,
                .batch = options_.batch,
                .threads = std::move(served),
                .parent = parent,
                .report = std::move(write_end)});
  processes_.push_back({.pid = pid});
  return read_end;
}

Expected<void> EchoServer::verify_placement() {
  read_masks();
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (const Worker& worker = workers_[i]; worker.wanted_cpu && worker.cpus != to_cpu_list({*worker.wanted_cpu}))
      return fail(ErrorCode::mismatch, fmt::format("worker {}", i),
                  fmt::format("was to run on CPU {}, but may run on \"{}\"", *worker.wanted_cpu, worker.cpus));
  if (unpinned() == 0) return {};
  return fail(ErrorCode::mismatch, "workers", fmt::format("{} further threads may run on other CPUs", unpinned()));
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
  const auto limit = std::chrono::steady_clock::now() + kStopLimit;
  while (any_running()) {
    const bool patient = std::chrono::steady_clock::now() < limit;
    for (std::size_t i = 0; i < processes_.size(); ++i)
      if (processes_[i].running) signal_threads(i, patient ? SIGTERM : SIGKILL);
    wait_for_child(kStopInterval);
    reap();
  }
}

/// To each thread: one that is blocked in a system call wakes up by its own signal only.
void EchoServer::signal_threads(std::size_t process, int signal) const {
  const pid_t pid = processes_[process].pid;
  if (signal == SIGKILL || threads() == 1) {
    kill(pid, signal);
    return;
  }
  for (std::size_t i = process * threads(); i < (process + 1) * threads(); ++i) {
    const pid_t thread = counters_[i].thread_id;
    tgkill(pid, thread != 0 ? thread : pid, signal);
  }
}

void EchoServer::reap() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    Process& process = processes_[i];
    int status = 0;
    rusage usage{};
    if (!process.running || wait4(process.pid, &status, WNOHANG, &usage) != process.pid) continue;
    process.running = false;
    process.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    if (!stopping_ || status != 0) note_end(i, status);
  }
}

void EchoServer::note_end(std::size_t process, int status) {
  if (failure_) return;
  const std::string how = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                              : fmt::format("ended by itself with exit status {}", WEXITSTATUS(status));
  failure_ = fmt::format("worker {} (process {}) {}", process * threads(), processes_[process].pid, how);
}

bool EchoServer::any_running() const { return std::ranges::any_of(processes_, &Process::running); }

void EchoServer::read_masks() {
  for (std::size_t i = 0; i < processes_.size(); ++i)
    if (processes_[i].running) read_masks(i);
}

/// An ended process keeps what was read before.
void EchoServer::read_masks(std::size_t process) {
  const auto masks = masks_of_tasks(processes_[process].pid);
  if (!masks || masks->empty()) return;
  CpuSet wanted;
  std::map<pid_t, CpuSet> others = *masks;
  for (std::size_t i = process * threads(); i < (process + 1) * threads(); ++i) {
    const pid_t thread = counters_[i].thread_id;
    if (const auto mask = masks->find(thread); mask != masks->end()) workers_[i].cpus = to_cpu_list(mask->second);
    if (workers_[i].wanted_cpu) wanted.insert(*workers_[i].wanted_cpu);
    others.erase(thread);
  }
  const auto strays = [&](const auto& task) { return !std::ranges::includes(wanted, task.second); };
  processes_[process].stray_threads = wanted.empty() ? 0 : static_cast<int>(std::ranges::count_if(others, strays));
}

int EchoServer::unpinned() const {
  int count = 0;
  for (const Process& process : processes_) count += process.stray_threads;
  for (const Worker& worker : workers_) count += worker.wanted_cpu && worker.cpus != to_cpu_list({*worker.wanted_cpu}) ? 1 : 0;
  return count;
}

EchoReport EchoServer::report() {
  if (!stopping_) read_masks();
  EchoReport report{.unpinned = unpinned()};
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const WorkerCounters& counters = counters_[i];
    const std::size_t process = i / threads();
    report.workers.push_back({.process = static_cast<int>(process),
                              .thread = static_cast<int>(i % threads()),
                              .pid = process < processes_.size() ? processes_[process].pid : 0,
                              .tid = counters.thread_id,
                              .cpus = workers_[i].cpus,
                              .socket = sockets_.index_of_worker(i),
                              .received = counters.received,
                              .answered = counters.answered,
                              .malformed = counters.malformed,
                              .not_queries = counters.not_queries,
                              .errors = counters.errors});
  }
  for (const Process& process : processes_) report.cpu_seconds += process.running ? cpu_seconds_of(process.pid) : process.cpu_seconds;
  for (std::size_t i = 0; i < sockets_.size(); ++i) {
    const GrantedBuffers granted = sockets_.buffers(i);
    report.sockets.push_back({.requested_receive_buffer = options_.receive_buffer,
                              .receive_buffer = granted.receive,
                              .requested_send_buffer = options_.send_buffer,
                              .send_buffer = granted.send});
  }
  report.receive_buffer = std::ranges::min(report.sockets, {}, &EchoSocketReport::receive_buffer).receive_buffer;
  report.send_buffer = std::ranges::min(report.sockets, {}, &EchoSocketReport::send_buffer).send_buffer;
  return report;
}

}  // namespace netsettle::runners
