// The program netsettle-guard, started for real, without any setting to give back (that is tests/faults/kill_sweep_test.cpp).

#include <unistd.h>

#include <csignal>
#include <thread>

#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/settings/guard.hpp"
#include "runners/settings/guard_process.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/settings/values.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

const std::filesystem::path kProgram = std::filesystem::path(NETSETTLE_BIN_DIR) / "netsettle-guard";

GuardOptions options_in(const TemporaryFolder& folder) {
  return {.paths = {.lock_file = folder.path() / "run/lock",
                    .undo_directory = folder.path() / "undo",
                    .lock_info = folder.path() / "run/holder.json"},
          .study = "s",
          .database = "d",
          .guard_program = kProgram};
}

/// Pids of this process's children with the guard's name.
std::vector<pid_t> guards() {
  std::vector<pid_t> found;
  const auto names = names_in("/proc").value();
  for (const auto& name : names) {
    const auto stat = read_whole_file("/proc/" + name + "/stat");
    if (!stat || stat->find("(netsettle-guard) ") == std::string::npos || stat->find(") Z ") != std::string::npos) continue;
    if (std::stoi(stat->substr(stat->rfind(") ") + 4)) == ::getpid()) found.push_back(static_cast<pid_t>(*decimal(name)));
  }
  return found;
}

template <typename Condition>
void await(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(2ms);
}

std::string field_of(pid_t pid, const std::string& name) {
  const std::string status = read_whole_file(fmt::format("/proc/{}/status", pid)).value();
  const auto at = status.find("\n" + name + ":\t") + name.size() + 3;
  return status.substr(at, status.find('\n', at) - at);
}

/// CAP_SYS_RESOURCE, which root in a container may lack.
bool may_lower_oom_score() {
  constexpr unsigned long long kSysResource = 1ull << 24;
  return (std::stoull(field_of(::getpid(), "CapEff"), nullptr, 16) & kSysResource) != 0;
}

}  // namespace

TEST_CASE("a guard watches while the study runs and goes when all is given back") {
  const TemporaryFolder folder;
  const auto guard = SettingsGuard::open(options_in(folder)).value();
  CHECK(guard->guard_alive());
  REQUIRE(guards().size() == 1);
  guard->restore();
  CHECK(guards().empty());
  CHECK(!std::filesystem::exists(folder.path() / "undo/last-restore.json"));
}

TEST_CASE("the guard is in a session of its own and is not moved by a terminal's signals") {
  const TemporaryFolder folder;
  const auto guard = SettingsGuard::open(options_in(folder)).value();
  const pid_t pid = guards().at(0);
  CHECK(::getsid(pid) == pid);
  CHECK(::getpgid(pid) == pid);
  for (const int number : {SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE}) ::kill(pid, number);
  const auto ignored = std::stoull(field_of(pid, "SigIgn"), nullptr, 16);
  for (const int number : {SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE}) CHECK((ignored >> (number - 1) & 1) == 1);
  CHECK(guard->guard_alive());
  CHECK(read_whole_file(fmt::format("/proc/{}/oom_score_adj", pid)).value() == (may_lower_oom_score() ? "-900\n" : "0\n"));
}

TEST_CASE("a guard that dies is noticed, and the machine is still given back") {
  const TemporaryFolder folder;
  const auto guard = SettingsGuard::open(options_in(folder)).value();
  ::kill(guards().at(0), SIGKILL);
  await([&] { return !guard->guard_alive(); });
  CHECK(guard->restore().complete());
}

TEST_CASE("a guard that cannot be started is an error and frees the lock") {
  const TemporaryFolder folder;
  auto options = options_in(folder);
  options.guard_program = folder.path() / "no-such-program";
  CHECK(SettingsGuard::open(options).error().code == ErrorCode::not_found);
  options.guard_program = "/bin/true";
  CHECK(SettingsGuard::open(options).error().code == ErrorCode::io);
  CHECK(SettingsGuard::open(options_in(folder)));
}

TEST_CASE("when the connection closes without a word the guard ends the children and says what it did") {
  const TemporaryFolder folder;
  const auto options = options_in(folder);
  const auto host = make_local_host();
  const auto child = host->start({.argv = {"sh", "-c", "sleep 1000 & echo $!; wait"}}).value();
  await([&] { return child->standard_output().ends_with('\n'); });
  const auto grandchild = identify(std::stoi(child->standard_output())).value();
  std::filesystem::create_directory(options.paths.undo_directory);
  {
    const auto lock = MachineLock::take(options.paths).value();
    auto process = GuardProcess::start(kProgram, options.paths, lock).value();
    REQUIRE(process.watch_child(child->pid()));
  }
  CHECK(to_text(child->wait(10s).value()) == "signal 9");
  await([&] { return !is_running(grandchild); });
  CHECK(read_whole_file((options.paths.undo_directory / "last-restore.json").string()).value().find("\"complete\": true") !=
        std::string::npos);
}

TEST_CASE("the guard is not for people") {
  const auto host = make_local_host();
  const auto finished = run_program(*host, {.argv = {kProgram.string()}}, 20s).value();
  CHECK(finished.status.code == 2);
  CHECK(finished.standard_error == "netsettle-guard is started by netsettle\n");
}
