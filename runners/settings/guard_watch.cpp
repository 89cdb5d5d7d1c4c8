#include "runners/settings/guard_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "runners/hosts/files.hpp"
#include "runners/hosts/pidfd.hpp"
#include "runners/settings/guard_process.hpp"
#include "runners/settings/journal.hpp"
#include "runners/settings/restore.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr int kConnection = 0;

/// A child of netsettle's. The descriptor keeps meaning this process also after its number has been given away.
struct WatchedChild {
  ProcessIdentity process;
  Descriptor pidfd;
};

bool has_ended(const Descriptor& pidfd) { return await_readable(pidfd, std::chrono::microseconds(0)); }

class Watch {
 public:
  explicit Watch(Descriptor netsettle) : netsettle_(std::move(netsettle)) {}

  enum class End { done, abandoned };

  /// Until "done" was said, or netsettle or its connection is gone.
  End wait() {
    for (;;) {
      pollfd events[] = {{kConnection, POLLIN, 0}, {netsettle_.get(), POLLIN, 0}};
      if (::poll(events, std::size(events), -1) < 0 && errno != EINTR) return End::abandoned;
      const bool died = events[1].revents != 0;
      const bool open = listen();  // also after its death: its last word may be "done"
      if (done_) return End::done;
      if (died || !open) return End::abandoned;
    }
  }

  void end_children() {
    std::vector<ProcessIdentity> processes;
    for (const auto& child : children_) {
      send_signal(child.pidfd, SIGKILL);
      processes.push_back(child.process);
    }
    // Leaders that died with netsettle (parent-death signal) may have left processes of their own.
    if (!end_processes(processes, std::chrono::milliseconds(1000), LeaderlessGroups::end)) fmt::print(stderr, "a child does not end\n");
  }

 private:
  /// Takes what has been said; false when the connection is closed.
  bool listen() {
    char block[4096];
    for (;;) {
      const ssize_t count = ::recv(kConnection, block, sizeof block, MSG_DONTWAIT);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno == EAGAIN;
      if (count == 0) return false;
      heard_.append(block, static_cast<std::size_t>(count));
      for (auto end = heard_.find('\n'); end != std::string::npos; end = heard_.find('\n')) {
        obey(std::string_view(heard_).substr(0, end));
        heard_.erase(0, end + 1);
      }
    }
  }

  void obey(std::string_view line) {
    if (line == kDone) done_ = true;
    if (!line.starts_with(kChild)) return;
    std::erase_if(children_, [](const WatchedChild& child) { return has_ended(child.pidfd); });
    const auto pid = decimal(line.substr(kChild.size()));
    const auto process = pid ? identify(*pid) : std::nullopt;
    if (!process) return;
    Descriptor pidfd = open_pidfd(static_cast<pid_t>(*pid));
    if (pidfd && identify(*pid) == process) children_.push_back({*process, std::move(pidfd)});
  }

  Descriptor netsettle_;
  std::vector<WatchedChild> children_;
  std::string heard_;
  bool done_ = false;
};

/// Nothing that ends netsettle, its terminal or its group may end the guard with it.
void shield(const std::string& undo_directory) {
  for (const int number : {SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE, SIGTSTP, SIGUSR1, SIGUSR2}) std::signal(number, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, 0);
  ::prctl(PR_SET_NAME, "netsettle-guard");
  [[maybe_unused]] const int moved = ::chdir("/");
  static_cast<void>(overwrite_file("/proc/self/oom_score_adj", "-900"));  // only root may
  const Descriptor log(::open((undo_directory + "/guard.log").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (log) ::dup2(log.get(), 1), ::dup2(log.get(), 2);
}

Expected<Descriptor> open_netsettle(const ProcessIdentity& process) {
  Descriptor pidfd = open_pidfd(static_cast<pid_t>(process.pid));
  if (!pidfd || !is_running(process)) return fail(ErrorCode::not_found, "netsettle", "has ended already");
  return pidfd;
}

int give_back(const std::string& undo_directory, Watch& watch) {
  watch.end_children();
  auto journal = Journal::open(undo_directory);
  if (!journal) {
    fmt::print(stderr, "{}\n", to_text(journal.error()));
    return 4;
  }
  RestorePlan plan;
  plan.leaderless = LeaderlessGroups::end;
  const RestoreReport report = restore_entries(*journal, plan);
  const auto closed = journal->finish();
  const auto told = replace_durably(undo_directory + "/last-restore.json", to_json(report));
  if (!closed) fmt::print(stderr, "{}\n", to_text(closed.error()));
  if (!told) fmt::print(stderr, "{}\n", to_text(told.error()));
  return report.complete() && closed ? 0 : 4;
}

}  // namespace

int guard_main(const std::vector<std::string>& words) {
  const auto pid = words.size() == 4 ? decimal(words[2]) : std::nullopt;
  const auto start = words.size() == 4 ? decimal(words[3]) : std::nullopt;
  if (!pid || !start) {
    fmt::print(stderr, "netsettle-guard is started by netsettle\n");
    return 2;
  }
  shield(words[1]);
  auto netsettle = open_netsettle({*pid, *start});
  if (!netsettle) {
    fmt::print(stderr, "{}\n", to_text(netsettle.error()));
    return 0;  // nothing can have been changed before it was told that the guard is ready
  }
  const std::string ready = std::string(kReady) + "\n";
  ::send(kConnection, ready.data(), ready.size(), MSG_NOSIGNAL);
  Watch watch(std::move(*netsettle));
  return watch.wait() == Watch::End::done ? 0 : give_back(words[1], watch);
}

}  // namespace netsettle::runners
