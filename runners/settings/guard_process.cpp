#include "runners/settings/guard_process.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>

#include <fmt/format.h>

#include "runners/hosts/pidfd.hpp"
#include "runners/settings/process_identity.hpp"

namespace netsettle::runners {
namespace {

constexpr std::chrono::milliseconds kReadyWithin(5000);
constexpr std::chrono::milliseconds kEndsWithin(5000);

}  // namespace

Expected<GuardProcess> GuardProcess::start(const std::filesystem::path& program, const GuardPaths& paths, const MachineLock& lock) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::unexpected(errno_error(errno, program.string(), "no connection to the guard"));
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing) return std::unexpected(errno_error(errno, "/dev/null", "cannot be opened"));
  const ProcessIdentity self = own_identity();
  SpawnPlan plan;
  plan.argv = {program.string(), paths.undo_directory.string(), fmt::format("{}", self.pid), fmt::format("{}", self.start)};
  plan.standard[0] = theirs.get();
  plan.standard[1] = plan.standard[2] = nothing.get();
  plan.inherited = {lock.descriptor()};
  plan.kinship = Kinship::own_session;
  NETSETTLE_ASSIGN(Spawned process, spawn(plan));
  GuardProcess guard(std::move(process), std::move(ours));
  NETSETTLE_TRY(guard.await_ready());
  return guard;
}

Expected<void> GuardProcess::await_ready() const {
  char answer[16] = {};
  const bool said = await_readable(connection_, kReadyWithin);
  const ssize_t count = said ? ::recv(connection_.get(), answer, sizeof answer, 0) : 0;
  if (count > 0 && std::string_view(answer, static_cast<std::size_t>(count)).starts_with(kReady)) return {};
  return fail(ErrorCode::io, "netsettle-guard", "did not start; its reason is in guard.log beside the undo journal");
}

Expected<void> GuardProcess::say(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  if (::send(connection_.get(), text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return std::unexpected(errno_error(errno, "netsettle-guard", "does not listen any more"));
  return {};
}

Expected<void> GuardProcess::watch_child(std::int64_t pid) { return say(fmt::format("{}{}", kChild, pid)); }

void GuardProcess::dismiss() {
  if (!connection_) return;
  static_cast<void>(say(kDone));  // one that has died needs no telling
  connection_.reset();
  reap();
}

void GuardProcess::reap() {
  if (!process_.pidfd) return;
  if (await_readable(process_.pidfd, kEndsWithin)) ::waitpid(process_.pid, nullptr, 0);
  process_.pidfd.reset();
}

bool GuardProcess::alive() const { return process_.pidfd && !await_readable(process_.pidfd, std::chrono::milliseconds(0)); }

GuardProcess::~GuardProcess() {
  connection_.reset();
  reap();
}

}  // namespace netsettle::runners
