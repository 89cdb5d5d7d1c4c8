#include "runners/hosts/ssh_connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"
#include "runners/hosts/child_process.hpp"
#include "runners/hosts/files.hpp"
#include "runners/hosts/pidfd.hpp"
#include "runners/hosts/ssh_commands.hpp"

namespace netsettle::runners {
namespace {

constexpr std::chrono::seconds kPatienceWithLogin(30);
constexpr std::chrono::seconds kPatienceWithEnd(2);

/// What must not depend on somebody's ~/.ssh/config.
const std::vector<std::string> kCommonOptions = {
    "-T", "-x", "-a", "-o", "BatchMode=yes", "-o", "RemoteCommand=none", "-o", "LogLevel=ERROR", "-o", "PermitLocalCommand=no"};
const std::vector<std::string> kMasterOptions = {"-o", "ControlMaster=yes",     "-o", "ControlPersist=no",
                                                 "-o", "ConnectTimeout=10",     "-o", "ServerAliveInterval=5",
                                                 "-o", "ServerAliveCountMax=3", "-o", "ClearAllForwardings=yes"};
/// Without the master ssh would connect anew, where nothing watches over what it starts: it must fail instead.
const std::vector<std::string> kSessionOptions = {"-o", "ControlMaster=no", "-o", "ProxyCommand=false"};

struct Pipe {
  Descriptor read, write;
};

Expected<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::unexpected(errno_error(errno, "ssh", "no pipe"));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

Expected<std::unique_ptr<SshConnection>> SshConnection::open(SshDestination destination) {
  NETSETTLE_TRY(check_destination(destination.name));
  std::unique_ptr<SshConnection> connection(new SshConnection(std::move(destination)));
  NETSETTLE_TRY(connection->make_folder());
  NETSETTLE_TRY(connection->start_master());
  return connection;
}

SshConnection::~SshConnection() {
  input_.reset();
  if (master_.pid > 0) {
    if (!await_readable(master_.pidfd, kPatienceWithEnd)) send_signal(master_.pidfd, SIGKILL);
    while (::waitpid(master_.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

/// Short, because the name of a socket may have 107 bytes and ssh adds 17 of its own while it connects.
Expected<void> SshConnection::make_folder() {
  constexpr std::size_t kLongest = 60;
  std::error_code error;
  const std::string temporary = std::filesystem::temp_directory_path(error).string();
  std::string name = (error || temporary.size() > kLongest ? "/tmp" : temporary) + "/netsettle-ssh-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return std::unexpected(errno_error(errno, name, "no folder for the ssh connection"));
  folder_ = name;
  return {};
}

std::vector<std::string> SshConnection::words(const std::vector<std::string>& options, const std::string& command) const {
  std::vector<std::string> all = {"ssh", "-S", folder_ + "/control"};
  for (const auto* more : {&kCommonOptions, &options, &destination_.arguments}) all.insert(all.end(), more->begin(), more->end());
  all.insert(all.end(), {"--", destination_.name, command});
  return all;
}

Expected<void> SshConnection::start_master() {
  NETSETTLE_ASSIGN(const std::string command, remote_command(scripts::kWatch, {}));
  NETSETTLE_ASSIGN(Pipe in, make_pipe());
  NETSETTLE_ASSIGN(Pipe out, make_pipe());
  const std::string log = folder_ + "/log";
  const Descriptor messages(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!messages) return std::unexpected(errno_error(errno, log, "cannot be made"));
  SpawnPlan plan;
  plan.argv = words(kMasterOptions, command);
  plan.standard[0] = in.read.get();
  plan.standard[1] = out.write.get();
  plan.standard[2] = messages.get();
  auto spawned = worker_.run([&] { return spawn(plan); });
  if (!spawned && spawned.error().code == ErrorCode::not_found)
    return fail(ErrorCode::not_found, "ssh", "the ssh client is not installed here: install openssh-client");
  NETSETTLE_ASSIGN(master_, std::move(spawned));
  input_ = std::move(in.write);
  output_ = std::move(out.read);
  out.write.reset();
  NETSETTLE_ASSIGN(const std::string line, first_line(output_));
  return understand(line);
}

Expected<std::string> SshConnection::first_line(const Descriptor& output) const {
  const auto end = std::chrono::steady_clock::now() + kPatienceWithLogin;
  std::string line;
  while (!line.ends_with('\n')) {
    const auto left = std::chrono::ceil<std::chrono::microseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !await_readable(output, left))
      return fail(ErrorCode::timed_out, "ssh " + destination_.name, "is connected to, but its shell does not answer");
    char byte = 0;
    const ssize_t count = ::read(output.get(), &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      static_cast<void>(await_readable(master_.pidfd, kPatienceWithEnd));  // its last words are in the log then
      return std::unexpected(lost());
    }
    line += byte;
  }
  return line;
}

Expected<void> SshConnection::understand(const std::string& line) {
  constexpr std::string_view kReady = "ready ", kMissing = "missing ";
  const std::string subject = "ssh " + destination_.name;
  std::string_view rest = trimmed(line);
  if (!rest.starts_with(scripts::kMark))
    return fail(ErrorCode::refused, subject,
                fmt::format("the account's shell prints a text of its own ('{}') before every command: let its start-up file do so only in "
                            "interactive shells",
                            rest.substr(0, std::min<std::size_t>(rest.size(), 60))));
  rest.remove_prefix(scripts::kMark.size());
  if (rest.starts_with(kMissing))
    return fail(
        ErrorCode::unsupported, subject,
        fmt::format("the programs {} are missing there: install coreutils, findutils, sed and util-linux", rest.substr(kMissing.size())));
  if (!rest.starts_with(kReady))
    return fail(ErrorCode::io, subject, "no temporary folder can be made there: is /tmp writable, and not full");
  remote_folder_ = rest.substr(kReady.size());
  return {};
}

Expected<std::unique_ptr<Process>> SshConnection::start(std::string_view script, const std::vector<std::string>& script_words,
                                                        std::string input, std::size_t output_limit) {
  if (!alive()) return std::unexpected(lost());
  NETSETTLE_ASSIGN(const std::string command, remote_command(script, script_words));
  ProcessSpec spec;
  spec.argv = words(kSessionOptions, command);
  spec.input = std::move(input);
  spec.output_limit = output_limit;
  return worker_.run([&] { return start_child(spec); });
}

bool SshConnection::alive() const { return !await_readable(master_.pidfd, std::chrono::microseconds(0)); }

Error SshConnection::lost() const { return connection_error(destination_.name, read_whole_file(folder_ + "/log").value_or("")); }

std::string SshConnection::new_note() { return fmt::format("{}/{}", remote_folder_, ++notes_); }

}  // namespace netsettle::runners
