#include "runners/hosts/ssh_host.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"
#include "runners/hosts/datagram.hpp"
#include "runners/hosts/files.hpp"
#include "runners/hosts/ssh_commands.hpp"
#include "runners/hosts/ssh_process.hpp"

namespace netsettle::runners {
namespace {

constexpr std::chrono::seconds kPatience(30);
constexpr std::size_t kMaxDatagram = 65536;

class SshHost final : public Host {
 public:
  explicit SshHost(std::unique_ptr<SshConnection> connection) : connection_(std::move(connection)) {}

  Expected<std::string> read_file(const std::string& path) override {
    NETSETTLE_ASSIGN(std::string text, ask(scripts::kRead, path, {path}));
    if (text.size() > kMaxFileSize) return fail(ErrorCode::unsupported, path, "is larger than 16 MiB");
    return text;
  }

  Expected<void> write_file(const std::string& path, std::string_view text) override {
    const auto block = std::max<std::size_t>(text.size(), 1);
    NETSETTLE_TRY(ask(scripts::kWrite, path, {path, fmt::format("{}", block)}, std::string(text)));
    return {};
  }

  Expected<std::vector<std::string>> list_directory(const std::string& path) override {
    NETSETTLE_ASSIGN(const std::string text, ask(scripts::kList, path, {path}));
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = std::min(text.find('\0', begin), text.size());
      names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    std::ranges::sort(names);
    return names;
  }

  Expected<std::string> real_path(const std::string& path) override {
    NETSETTLE_ASSIGN(std::string text, ask(scripts::kRealPath, path, {path}));
    if (text.ends_with('\n')) text.pop_back();
    return text;
  }

  Expected<void> check_writable(const std::string& path) override {
    NETSETTLE_TRY(ask(scripts::kMayWrite, path, {path}));
    return {};
  }

  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override { return start_over_ssh(*connection_, spec); }

  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override {
    NETSETTLE_TRY(connect_datagram_socket(address, port));  // only to see that they are an address and a port
    const std::string seconds = fmt::format("{:.3f}", std::chrono::duration<double>(timeout).count());
    NETSETTLE_ASSIGN(const auto process, connection_->start(scripts::kDatagram, {address, fmt::format("{}", port), seconds},
                                                            std::string(bytes), 2 * kMaxDatagram));
    const auto status = process->wait(timeout + kPatience);
    constexpr int kTimedOut = 124, kNotFound = 127;
    if (status && status->ok()) return process->standard_output();
    if (!status || status->code == kTimedOut) return fail(ErrorCode::timed_out, "", "no answer to the datagram");
    if (status->code == kNotFound) return fail(ErrorCode::unsupported, "bash", "is missing on " + connection_->destination());
    return std::unexpected(failure(*process, *status, address));
  }
  Clock& clock() override { return clock_; }
  std::string network_namespace() const override { return ""; }

 private:
  /// A script about one path to its end: its standard output, or the error that it printed.
  Expected<std::string> ask(std::string_view script, const std::string& path, std::vector<std::string> words, std::string input = "") {
    // A relative path means the account's home; one that begins with a hyphen must not be an option.
    if (!words.front().starts_with('/')) words.front().insert(0, "./");
    NETSETTLE_ASSIGN(const auto process, connection_->start(script, words, std::move(input), 2 * kMaxFileSize));
    const auto status = process->wait(kPatience);
    if (!status) return fail(ErrorCode::timed_out, path, fmt::format("{} does not answer", connection_->destination()));
    if (status->ok()) return process->standard_output();
    return std::unexpected(failure(*process, *status, path));
  }

  /// What a script that failed says on standard error.
  Error failure(const Process& process, const ExitStatus& status, const std::string& subject) const {
    const std::string message = process.standard_error();
    if (!connection_->alive()) return connection_->lost();
    if (status.code == 255) return connection_error(connection_->destination(), message);
    const auto number = errno_of_message(message);
    if (!number) return {ErrorCode::io, subject, fmt::format("{} says '{}'", connection_->destination(), trimmed(message)), 0};
    return errno_error(*number, subject, fmt::format("not possible on {}", connection_->destination()));
  }

  SystemClock clock_;
  std::unique_ptr<SshConnection> connection_;
};

}  // namespace

Expected<std::unique_ptr<Host>> make_ssh_host(SshDestination destination) {
  NETSETTLE_ASSIGN(auto connection, SshConnection::open(std::move(destination)));
  return std::make_unique<SshHost>(std::move(connection));
}

}  // namespace netsettle::runners
