#pragma once
// A process of FakeHost: it "runs" on the fake clock.

#include "tests/support/fake_host.hpp"

namespace netsettle::tests {

class FakeProcess final : public runners::Process {
 public:
  FakeProcess(pid_t pid, FakeProgram program, std::size_t output_limit, std::shared_ptr<FakeClock> clock);
  ~FakeProcess() override;

  pid_t pid() const override { return pid_; }
  Expected<void> signal(int number) override;
  std::optional<runners::ExitStatus> wait(Microseconds timeout, const StopFlag* stop = nullptr) override;
  std::string standard_output() const override;
  std::string standard_error() const override;

 private:
  void end(runners::ExitStatus status);

  pid_t pid_;
  FakeProgram program_;
  std::size_t output_limit_;
  std::shared_ptr<FakeClock> clock_;
  Microseconds started_;
  std::optional<runners::ExitStatus> status_;
};

}  // namespace netsettle::tests
