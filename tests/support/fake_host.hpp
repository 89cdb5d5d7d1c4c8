#pragma once
// A machine in memory: a tree of files, scripted failures, programs and datagram answers, a clock that moves only when told (or when
// something waits), and a log of everything done. Passes the same contract suite as the real hosts (tests/contract).

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runners/hosts/host.hpp"

namespace netsettle::tests {

using runners::Microseconds;
using runners::StopFlag;

class FakeClock final : public runners::Clock {
 public:
  Microseconds monotonic() const override { return now_; }
  Microseconds utc() const override { return utc_start_ + now_; }
  void sleep(Microseconds duration, const StopFlag* stop = nullptr) override;
  void advance(Microseconds duration) { now_ += duration; }
  /// Moves the wall clock alone.
  void step_utc(Microseconds by) { utc_start_ += by; }

 private:
  Microseconds now_{0};
  Microseconds utc_start_{1'700'000'000'000'000};
};

enum class OperationKind { read, write, list, check, start, datagram };

struct Operation {
  OperationKind kind = OperationKind::read;
  std::string netns;
  std::string subject;  // path, command line, "address:port"
  std::string text;     // what was written or sent
};

/// "read /proc/x", "write nss:/proc/x 5", "start ip netns del a".
std::string to_text(const Operation& operation);

/// What was done, in order, and which operations shall fail. Shared by the hosts of one fake machine, so that n counts over all of them.
class OperationLog {
 public:
  /// The n-th operation from now (1: the next one) fails with this errno and has no effect.
  void fail_operation(std::size_t n, int errno_value) { failures_[operations_.size() + n] = errno_value; }
  /// As above, and all after it too, until stop_failing().
  void fail_from(std::size_t n, int errno_value) { lasting_failure_ = {operations_.size() + n, errno_value}; }
  void stop_failing();
  const std::vector<Operation>& operations() const { return operations_; }
  std::vector<std::string> texts() const;
  /// Called before each operation.
  std::function<void(const Operation&)> on_operation;

  /// For the hosts: notes the operation; the errno it fails with, or 0.
  int note(Operation operation);

 private:
  std::vector<Operation> operations_;
  std::map<std::size_t, int> failures_;
  std::optional<std::pair<std::size_t, int>> lasting_failure_;
};

/// How a program behaves when it is started.
struct FakeProgram {
  std::optional<Error> start_error;
  std::string standard_output;
  std::string standard_error;
  runners::ExitStatus exit{0, std::nullopt};
  std::optional<Microseconds> runs_for = Microseconds(0);  // nullopt: until a signal ends it
  std::string output_at_end;                               // written to standard output when it ends
  bool exits_on_signal = true;                             // a signal ends it with `exit`; false: with that signal
  std::function<void()> at_end;                            // its effect, when it has ended
};

class FakeHost final : public runners::Host {
 public:
  using Script = std::function<FakeProgram(const runners::ProcessSpec&)>;
  using Answer = std::function<Expected<std::string>(const std::string& address, int port, std::string_view bytes)>;
  /// What a file holds after a write, or the errno of the refusal.
  using WriteRule = std::function<std::expected<std::string, int>(std::string_view written)>;

  explicit FakeHost(std::string netns = "", std::shared_ptr<OperationLog> log = std::make_shared<OperationLog>());

  // ---- the machine as the test arranges and sees it ----
  void add_file(const std::string& path, std::string content);
  /// As the kernel's: a written number without white space at its end reads back with a newline; what is not a number is EINVAL.
  void add_number_file(const std::string& path, std::string content);
  /// `target` is absolute or relative to the link's folder.
  void add_link(const std::string& path, std::string target) { links_[path] = std::move(target); }
  void remove_file(const std::string& path);
  bool has_file(const std::string& path) const { return files_.contains(path); }
  /// The content; throws std::out_of_range where there is no such file.
  const std::string& content(const std::string& path) const { return files_.at(path); }
  void set_content(const std::string& path, std::string content) { files_.at(path) = std::move(content); }
  void on_write(const std::string& path, WriteRule rule) { rules_[path] = std::move(rule); }
  /// Reading works, writing is EACCES.
  void make_read_only(const std::string& path) { read_only_.insert(path); }
  /// Every operation on the path fails from now on; 0 ends that.
  void fail_path(const std::string& path, int errno_value);
  void fail_writes(const std::string& path, int errno_value);
  void add_program(const std::string& name, FakeProgram program);
  void add_program(const std::string& name, Script script) { programs_[name] = std::move(script); }
  void answer_datagrams(Answer answer) { answer_ = std::move(answer); }
  FakeClock& fake_clock() { return *clock_; }
  OperationLog& log() { return *log_; }
  /// Makes both hosts show one time.
  void share_clock(FakeHost& other) { clock_ = other.clock_; }

  // ---- Host ----
  Expected<std::string> read_file(const std::string& path) override;
  Expected<void> write_file(const std::string& path, std::string_view text) override;
  Expected<std::vector<std::string>> list_directory(const std::string& path) override;
  Expected<std::string> real_path(const std::string& path) override;
  Expected<void> check_writable(const std::string& path) override;
  Expected<std::unique_ptr<runners::Process>> start(const runners::ProcessSpec& spec) override;
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override;
  runners::Clock& clock() override { return *clock_; }
  std::string network_namespace() const override { return netns_; }

 private:
  Expected<void> begin(OperationKind kind, const std::string& subject, std::string_view text = {});

  std::string netns_;
  std::shared_ptr<OperationLog> log_;
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  std::string followed(const std::string& path) const;
  bool has_folder(const std::string& path) const;

  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> links_;
  std::map<std::string, WriteRule> rules_;
  std::set<std::string> read_only_;
  std::map<std::string, int> failing_, failing_writes_;
  std::map<std::string, Script> programs_;
  Answer answer_;
  pid_t next_pid_ = 1000;
};

/// Forwards to a host that lives elsewhere: for interfaces that want to own their host.
std::unique_ptr<runners::Host> borrow(runners::Host& host);

}  // namespace netsettle::tests
