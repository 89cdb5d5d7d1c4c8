#include "runners/hosts/ssh_process.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"
#include "runners/hosts/ssh_commands.hpp"

namespace netsettle::runners {
namespace {

constexpr std::chrono::seconds kPatience(30);
constexpr std::chrono::milliseconds kLook(2);

/// A session ends a little before the connection that broke under it.
bool stays_alive(const SshConnection& connection) {
  constexpr std::chrono::milliseconds kMoment(300);
  for (auto left = kMoment; left.count() > 0 && connection.alive(); left -= kLook) std::this_thread::sleep_for(kLook);
  return connection.alive();
}

/// Takes exit codes above 128 for signals, as the shell there gives them. The client's own failure has the code 255, and so may a program.
ExitStatus to_status(const ExitStatus& local, const SshConnection& connection) {
  constexpr int kSignalled = 128, kLastSignal = 64, kSshFailed = 255;
  if (!local.code || (*local.code == kSshFailed && !stays_alive(connection))) return {};
  if (*local.code > kSignalled && *local.code <= kSignalled + kLastSignal) return {std::nullopt, *local.code - kSignalled, std::nullopt};
  return {*local.code, std::nullopt, std::nullopt};
}

class SshProcess final : public Process {
 public:
  SshProcess(SshConnection& connection, std::unique_ptr<Process> session, pid_t pid)
      : connection_(connection), session_(std::move(session)), pid_(pid) {}

  ~SshProcess() override {
    if (!status_ && !wait(Microseconds(0), nullptr)) static_cast<void>(send(SIGKILL, fmt::format("-{}", pid_)));
  }

  pid_t pid() const override { return pid_; }
  pid_t watched_pid() const override { return session_->pid(); }

  Expected<void> signal(int number) override {
    if (status_) return std::unexpected(errno_error(ESRCH, "", "the process has ended"));
    return send(number, fmt::format("{}", pid_));
  }

  std::optional<ExitStatus> wait(Microseconds timeout, const StopFlag* stop) override {
    if (!status_)
      if (const auto ended = session_->wait(timeout, stop)) status_ = to_status(*ended, connection_);
    return status_;
  }

  std::string standard_output() const override { return session_->standard_output().substr(scripts::kHeaderSize); }
  std::string standard_error() const override { return session_->standard_error(); }

 private:
  Expected<void> send(int number, const std::string& target) {
    constexpr std::size_t kMessage = 4096;
    NETSETTLE_ASSIGN(const auto session, connection_.start(scripts::kSignal, {fmt::format("{}", number), target}, "", kMessage));
    const auto ended = session->wait(kPatience);
    if (!ended) return fail(ErrorCode::timed_out, "ssh " + connection_.destination(), "the signal cannot be sent");
    if (ended->ok()) return {};
    if (!connection_.alive()) return std::unexpected(connection_.lost());
    return std::unexpected(errno_error(errno_of_message(session->standard_error()).value_or(EIO), fmt::format("process {}", pid_),
                                       "the signal cannot be sent"));
  }

  SshConnection& connection_;
  std::unique_ptr<Process> session_;  // of the ssh client here
  pid_t pid_;
  std::optional<ExitStatus> status_;
};

/// The header, once it is complete; nullopt where the session ended without one.
Expected<std::optional<std::string>> await_header(const SshConnection& connection, Process& session) {
  for (auto left = std::chrono::duration_cast<Microseconds>(kPatience); left.count() > 0; left -= kLook) {
    const bool ended = session.wait(kLook).has_value();
    const std::string output = session.standard_output();
    if (output.size() >= scripts::kHeaderSize) return std::string(trimmed(output.substr(0, scripts::kHeaderSize)));
    if (ended) return std::nullopt;
  }
  return fail(ErrorCode::timed_out, "ssh " + connection.destination(), "the program does not start");
}

Error refusal(const SshConnection& connection, const ProcessSpec& spec, std::string_view header) {
  const std::string& name = spec.argv.front();
  const std::string where = "on " + connection.destination();
  if (header == "absent") return errno_error(ENOENT, name, "no such program " + where + ": install it there");
  if (header == "denied") return errno_error(EACCES, name, "cannot be executed " + where);
  if (header == "cpus")
    return {ErrorCode::unsupported, name, fmt::format("not all of the CPUs {} can be used {}", to_cpu_list(spec.cpus), where), 0};
  return {ErrorCode::io, name, fmt::format("cannot be noted {}: is /tmp full there", where), 0};
}

std::vector<std::string> script_words(SshConnection& connection, const ProcessSpec& spec) {
  std::vector<std::string> words = {connection.new_note(), to_cpu_list(spec.cpus), spec.argv.front()};
  if (!spec.environment.empty()) words.push_back("env");
  for (const auto& [name, value] : spec.environment) words.push_back(name + "=" + value);
  words.insert(words.end(), spec.argv.begin(), spec.argv.end());
  return words;
}

}  // namespace

Expected<std::unique_ptr<Process>> start_over_ssh(SshConnection& connection, const ProcessSpec& spec) {
  if (spec.argv.empty()) return fail(ErrorCode::invalid_input, "", "an empty command");
  if (spec.memory.mode != MemoryPolicy::Mode::inherited)
    return fail(ErrorCode::unsupported, kMemoryPolicy, "a memory policy is not set over ssh");
  // The header takes its part of what is kept of the beginning.
  NETSETTLE_ASSIGN(auto session, connection.start(scripts::kRun, script_words(connection, spec), spec.input,
                                                  spec.output_limit + 2 * scripts::kHeaderSize));
  NETSETTLE_ASSIGN(const auto header, await_header(connection, *session));
  if (!header) {
    if (!connection.alive()) return std::unexpected(connection.lost());
    return std::unexpected(connection_error(connection.destination(), session->standard_error()));
  }
  constexpr std::string_view kOk = "ok ";
  if (!header->starts_with(kOk)) return std::unexpected(refusal(connection, spec, *header));
  pid_t pid = 0;
  const char* const end = header->data() + header->size();
  if (std::from_chars(header->data() + kOk.size(), end, pid).ptr != end || pid <= 1)
    return fail(ErrorCode::io, spec.argv.front(), fmt::format("its start on {} is not understood", connection.destination()));
  return std::make_unique<SshProcess>(connection, std::move(session), pid);
}

}  // namespace netsettle::runners
