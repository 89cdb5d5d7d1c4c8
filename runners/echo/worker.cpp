#include "runners/echo/worker.hpp"

#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <latch>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "runners/echo/pinning.hpp"

namespace netsettle::runners {
namespace {

constexpr char kServing = '+', kProblem = '-';  // first byte of the message

// A signal handler reaches nothing but statics. They belong to the worker process alone and are set before the signal is let in.
StopRequest stop_requested{false};
std::atomic<pid_t> parent_process{0};
std::atomic<int> stop_event{-1};
static_assert(std::atomic<pid_t>::is_always_lock_free);

/// A SIGTERM that went to the whole process group or cgroup is the parent's business: it then ends its workers in order.
void on_terminate(int, siginfo_t* info, void*) {
  if (info->si_pid != parent_process.load(std::memory_order_relaxed)) return;
  const int saved_errno = errno;
  stop_requested.store(true, std::memory_order_relaxed);
  const std::uint64_t one = 1;
  static_cast<void>(!write(stop_event.load(std::memory_order_relaxed), &one, sizeof one));
  errno = saved_errno;
}

/// Threads that are started later inherit the mask.
bool set_up_signals(pid_t parent) {
  parent_process = parent;
  stop_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  for (const int number : {SIGINT, SIGHUP, SIGUSR1}) std::signal(number, SIG_IGN);  // a terminal sends them to everybody
  struct sigaction action{};
  action.sa_sigaction = on_terminate;
  action.sa_flags = SA_SIGINFO;  // no SA_RESTART: a blocked recvfrom must return
  sigaction(SIGTERM, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  return stop_event >= 0;
}

/// False where the message could not be delivered: the parent is gone.
bool send_message(int pipe, char kind, const std::string& text) {
  const std::string message = kind + text;
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t size = write(pipe, message.data() + sent, message.size() - sent);
    if (size < 0 && errno != EINTR) return false;
    if (size > 0) sent += static_cast<std::size_t>(size);
  }
  return true;
}

/// Of several threads with a problem the first tells it.
[[noreturn]] void give_up(const WorkerProcess& process, const std::string& problem) {
  static std::atomic_flag told;
  while (told.test_and_set()) pause();
  send_message(process.report.get(), kProblem, problem);
  _exit(EXIT_FAILURE);
}

Expected<Serve> prepare(const WorkerProcess& process, const WorkerThread& thread) {
  if (thread.cpu) NETSETTLE_TRY(pin_this_thread(*thread.cpu));
  thread.counters->thread_id = gettid();
  return process.io_model->prepare({.socket = thread.socket,
                                    .batch = process.batch,
                                    .cpu = thread.cpu,
                                    .stop_event = stop_event,
                                    .counters = *thread.counters,
                                    .stop = stop_requested});
}

/// All threads are prepared before the first serves: a process serves whole or not at all.
class Threads {
 public:
  explicit Threads(const WorkerProcess& process) : process_(process), prepared_(std::ssize(process.threads)) {}

  void serve_all() {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < process_.threads.size(); ++i) others.emplace_back([this, i] { serve(process_.threads[i]); });
    } catch (const std::system_error& error) {
      give_up(process_, std::string("a thread cannot be started: ") + error.what());
    }
    serve(process_.threads.front());
  }

 private:
  void serve(const WorkerThread& thread) {
    Expected<Serve> loop = prepare(process_, thread);
    if (!loop) give_up(process_, to_text(loop.error()));
    prepared_.arrive_and_wait();
    if (&thread == &process_.threads.front() && !send_message(process_.report.get(), kServing, "")) _exit(EXIT_FAILURE);
    (*loop)();
  }

  const WorkerProcess& process_;
  std::latch prepared_;
};

}  // namespace

void run_worker(WorkerProcess process) {
  // The parent may have died before the death signal was set; nobody would send it then.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != process.parent) _exit(EXIT_FAILURE);
  if (!set_up_signals(process.parent)) give_up(process, to_text(errno_error(errno, "eventfd", "cannot be had")));
  Threads(process).serve_all();
  _exit(EXIT_SUCCESS);
}

std::optional<std::string> read_problem(int pipe) {
  std::string message;
  std::array<char, 512> chunk;
  while (message.empty() || message.front() != kServing) {
    const ssize_t size = read(pipe, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    message.append(chunk.data(), static_cast<std::size_t>(size));
  }
  if (message.empty()) return "died before it could serve";
  if (message.front() == kServing) return std::nullopt;
  return message.substr(1);
}

}  // namespace netsettle::runners
