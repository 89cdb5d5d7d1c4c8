#include "runners/hosts/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

#include "runners/hosts/output_buffer.hpp"
#include "runners/hosts/pidfd.hpp"
#include "runners/hosts/signal_mask.hpp"
#include "runners/hosts/spawn.hpp"

namespace netsettle::runners {
namespace {

struct Pipe {
  Descriptor read, write;
};

Expected<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::unexpected(errno_error(errno, "", "no pipe"));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_nonblocking(const Descriptor& descriptor) { ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK); }

/// Moves a child's streams: writes the input, keeps what comes out. Runs until the child has ended and what it wrote is read; what a
/// process that it left behind writes later is not waited for.
class StreamMover {
 public:
  StreamMover(std::string input, std::size_t limit, Descriptor in, Descriptor out, Descriptor err, const Descriptor& pidfd)
      : input_(std::move(input)),
        in_(std::move(in)),
        out_(std::move(out)),
        err_(std::move(err)),
        pidfd_(pidfd),
        stdout_(limit),
        stderr_(limit) {
    for (const Descriptor* end : {&in_, &out_, &err_}) make_nonblocking(*end);
    // With all signals blocked, SIGPIPE too: writing to a child that does not read gives EPIPE.
    const AllSignalsBlocked blocked;
    thread_ = std::jthread([this] { move(); });
  }

  void finish() {
    if (thread_.joinable()) thread_.join();
  }
  std::string standard_output() const { return text(stdout_); }
  std::string standard_error() const { return text(stderr_); }

 private:
  void move() {
    bool child_runs = true;
    write_input();
    while (child_runs) {
      pollfd events[] = {{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}, {pidfd_.get(), POLLIN, 0}};
      if (::poll(events, std::size(events), -1) < 0 && errno != EINTR) return;
      child_runs = events[3].revents == 0;
      if (events[0].revents != 0) write_input();
      read_output(out_, stdout_);
      read_output(err_, stderr_);
    }
  }

  void write_input() {
    while (in_ && written_ < input_.size()) {
      const ssize_t count = ::write(in_.get(), input_.data() + written_, input_.size() - written_);
      if (count < 0 && errno == EAGAIN) return;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) break;  // it does not read its input: its own affair
      written_ += static_cast<std::size_t>(count);
    }
    in_.reset();
  }

  void read_output(Descriptor& end, OutputBuffer& buffer) {
    char block[65536];
    while (end) {
      const ssize_t count = ::read(end.get(), block, sizeof block);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return end.reset();
      const std::lock_guard lock(mutex_);
      buffer.append({block, static_cast<std::size_t>(count)});
    }
  }

  std::string text(const OutputBuffer& buffer) const {
    const std::lock_guard lock(mutex_);
    return buffer.text();
  }

  std::string input_;
  std::size_t written_ = 0;
  Descriptor in_, out_, err_;
  const Descriptor& pidfd_;
  mutable std::mutex mutex_;  // guards the two buffers
  OutputBuffer stdout_, stderr_;
  std::jthread thread_;
};

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

ExitStatus to_status(int raw, const rusage& usage) {
  const double cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  if (WIFSIGNALED(raw)) return {std::nullopt, WTERMSIG(raw), cpu_seconds};
  return {WEXITSTATUS(raw), std::nullopt, cpu_seconds};
}

class ChildProcess final : public Process {
 public:
  ChildProcess(Spawned spawned, const ProcessSpec& spec, Pipe in, Pipe out, Pipe err)
      : pid_(spawned.pid),
        pidfd_(std::move(spawned.pidfd)),
        streams_(spec.input, spec.output_limit, std::move(in.write), std::move(out.read), std::move(err.read), pidfd_) {}

  ~ChildProcess() override {
    if (!status_) collect();
  }

  pid_t pid() const override { return pid_; }

  Expected<void> signal(int number) override {
    if (status_) return std::unexpected(errno_error(ESRCH, "", "the process has ended"));
    if (send_signal(pidfd_, number) != 0) return std::unexpected(errno_error(errno, "", "the signal cannot be sent"));
    return {};
  }

  std::optional<ExitStatus> wait(Microseconds timeout, const StopFlag* stop) override {
    if (!status_ && await_end(timeout, stop)) collect();
    return status_;
  }

  std::string standard_output() const override { return streams_.standard_output(); }
  std::string standard_error() const override { return streams_.standard_error(); }

 private:
  bool await_end(Microseconds timeout, const StopFlag* stop) const {
    if (stop == nullptr) return await_readable(pidfd_, timeout);
    constexpr Microseconds kLook(20'000);
    const auto end = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      const auto left = std::chrono::ceil<Microseconds>(end - std::chrono::steady_clock::now());
      if (await_readable(pidfd_, std::clamp(left, Microseconds(0), kLook))) return true;
      if (stop->load() != 0 || left <= Microseconds(0)) return false;
    }
  }

  /// Ends what is left of the process group and reaps. The group is killed while its number still belongs to the unreaped leader:
  /// afterwards the same number could be somebody else's.
  void collect() {
    ::kill(-pid_, SIGKILL);
    int raw = 0;
    rusage usage{};
    while (::wait4(pid_, &raw, 0, &usage) < 0 && errno == EINTR) {
    }
    status_ = to_status(raw, usage);
    streams_.finish();
  }

  pid_t pid_;
  Descriptor pidfd_;
  StreamMover streams_;
  std::optional<ExitStatus> status_;
};

}  // namespace

Expected<std::unique_ptr<Process>> start_child(const ProcessSpec& spec) {
  NETSETTLE_ASSIGN(Pipe in, make_pipe());
  NETSETTLE_ASSIGN(Pipe out, make_pipe());
  NETSETTLE_ASSIGN(Pipe err, make_pipe());
  SpawnPlan plan;
  plan.argv = spec.argv;
  plan.environment = spec.environment;
  plan.cpus = spec.cpus;
  plan.memory = spec.memory;
  plan.standard[0] = in.read.get();
  plan.standard[1] = out.write.get();
  plan.standard[2] = err.write.get();
  NETSETTLE_ASSIGN(Spawned spawned, spawn(plan));
  return std::make_unique<ChildProcess>(std::move(spawned), spec, std::move(in), std::move(out), std::move(err));
}

}  // namespace netsettle::runners
