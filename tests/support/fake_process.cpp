#include "tests/support/fake_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "runners/hosts/output_buffer.hpp"

namespace netsettle::tests {
namespace {

std::string bounded(const std::string& text, std::size_t limit) {
  runners::OutputBuffer buffer(limit);
  buffer.append(text);
  return buffer.text();
}

}  // namespace

FakeProcess::FakeProcess(pid_t pid, FakeProgram program, std::size_t output_limit, std::shared_ptr<FakeClock> clock)
    : pid_(pid), program_(std::move(program)), output_limit_(output_limit), clock_(std::move(clock)), started_(clock_->monotonic()) {}

FakeProcess::~FakeProcess() {
  if (!status_) end({std::nullopt, SIGKILL});
}

Expected<void> FakeProcess::signal(int number) {
  if (status_) return std::unexpected(errno_error(ESRCH, "", "the process has ended"));
  if (number == SIGKILL || !program_.exits_on_signal)
    end({std::nullopt, number});
  else
    end(program_.exit);
  return {};
}

std::optional<runners::ExitStatus> FakeProcess::wait(Microseconds timeout, const StopFlag* stop) {
  if (status_) return status_;
  const Microseconds now = clock_->monotonic();
  if (program_.runs_for && started_ + *program_.runs_for <= now + timeout) {
    clock_->sleep(std::max(Microseconds(0), started_ + *program_.runs_for - now), stop);
    if (stop == nullptr || stop->load() == 0) end(program_.exit);
  } else {
    clock_->sleep(timeout, stop);
  }
  return status_;
}

void FakeProcess::end(runners::ExitStatus status) {
  status_ = status;
  if (program_.at_end) program_.at_end();
}

std::string FakeProcess::standard_output() const {
  return bounded(status_ ? program_.standard_output + program_.output_at_end : program_.standard_output, output_limit_);
}

std::string FakeProcess::standard_error() const { return bounded(program_.standard_error, output_limit_); }

}  // namespace netsettle::tests
