#include "runners/echo/worker.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include "runners/echo/pinning.hpp"

namespace netsettle::runners {
namespace {

constexpr char kServing = '+', kProblem = '-';  // first byte of the message

// A signal handler reaches nothing but statics. They belong to the worker process alone and are set before the signal is let in.
StopRequest stop_requested{false};
std::atomic<pid_t> parent_process{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

/// A SIGTERM that went to the whole process group or cgroup is the parent's business: it then ends its workers in order.
void on_terminate(int, siginfo_t* info, void*) {
  if (info->si_pid == parent_process.load(std::memory_order_relaxed)) stop_requested.store(true, std::memory_order_relaxed);
}

void set_up_signals(pid_t parent) {
  parent_process = parent;
  for (const int number : {SIGINT, SIGHUP, SIGUSR1}) std::signal(number, SIG_IGN);  // a terminal sends them to everybody
  struct sigaction action{};
  action.sa_sigaction = on_terminate;
  action.sa_flags = SA_SIGINFO;  // no SA_RESTART: a blocked recvfrom must return
  sigaction(SIGTERM, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
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

}  // namespace

void run_worker(WorkerTask task) {
  const Expected<CpuSet> cpus = pin_and_verify(task.cpu);
  // The parent may have died before the death signal was set; nobody would send it then.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != task.parent) _exit(EXIT_FAILURE);
  set_up_signals(task.parent);
  if (!cpus) {
    send_message(task.report.get(), kProblem, to_text(cpus.error()));
    _exit(EXIT_FAILURE);
  }
  if (!send_message(task.report.get(), kServing, to_cpu_list(*cpus))) _exit(EXIT_FAILURE);
  task.report.reset();
  task.io_model->loop(task.socket, *task.counters, stop_requested);
  _exit(EXIT_SUCCESS);
}

WorkerGreeting read_greeting(int pipe) {
  std::string message;
  std::array<char, 512> chunk;
  for (;;) {
    const ssize_t size = read(pipe, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    message.append(chunk.data(), static_cast<std::size_t>(size));
  }
  if (message.empty()) return {.problem = "died before it could serve"};
  if (message.front() == kServing) return {.cpus = message.substr(1)};
  return {.problem = message.substr(1)};
}

}  // namespace netsettle::runners
