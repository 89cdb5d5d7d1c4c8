#include "runners/settings/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include <catch2/catch.hpp>

#include "runners/settings/process_identity.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

GuardPaths paths_in(const TemporaryFolder& folder) {
  return {
      .lock_file = folder.path() / "run/lock", .undo_directory = folder.path() / "undo", .lock_info = folder.path() / "run/holder.json"};
}

/// As left by a holder that has died.
void leave_info_of_the_dead(const GuardPaths& paths) {
  std::ofstream(paths.lock_info) << R"({"pid": 1, "pid_start": -5, "study": "dead", "database": "d.db", "since_us": 0})";
}

}  // namespace

TEST_CASE("the lock is free again when its holder lets go") {
  const TemporaryFolder folder;
  const auto paths = paths_in(folder);
  CHECK(!lock_holder(paths));
  {
    const auto lock = MachineLock::take(paths);
    REQUIRE(lock);
    REQUIRE(lock->introduce("s", "d"));
    CHECK(lock_holder(paths)->study == "s");
  }
  CHECK(!lock_holder(paths));
  CHECK(MachineLock::take(paths));
}

TEST_CASE("a dead holder whose guard is restoring still holds, and is waited for") {
  const TemporaryFolder folder;
  const auto paths = paths_in(folder);
  std::filesystem::create_directory(folder.path() / "run");
  leave_info_of_the_dead(paths);
  Descriptor guard(::open(paths.lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  REQUIRE(::flock(guard.get(), LOCK_EX) == 0);
  CHECK(lock_holder(paths)->study == "dead");
  std::jthread finishing([&] {
    std::this_thread::sleep_for(120ms);
    guard.reset();
  });
  CHECK(MachineLock::take(paths));
}

TEST_CASE("what a dead holder left behind holds nothing") {
  const TemporaryFolder folder;
  const auto paths = paths_in(folder);
  std::filesystem::create_directory(folder.path() / "run");
  leave_info_of_the_dead(paths);
  CHECK(!lock_holder(paths));
  CHECK(MachineLock::take(paths));
}

TEST_CASE("garbage in the holder's file is nobody") {
  const TemporaryFolder folder;
  const auto paths = paths_in(folder);
  std::filesystem::create_directory(folder.path() / "run");
  for (const std::string text : {"", "{", "[]", "{}", R"({"pid": "x"})"}) {
    std::ofstream(paths.lock_info, std::ios::trunc) << text;
    CHECK(!lock_holder(paths));
  }
}

TEST_CASE("a lock in a folder that cannot be made is an error, not a crash") {
  GuardPaths paths;
  paths.lock_file = "/proc/no/such/lock";
  CHECK(!MachineLock::take(paths));
}

TEST_CASE("the environment moves lock and journal") {
  ::setenv("NETSETTLE_RUN_DIR", "/tmp/r", 1);
  ::setenv("NETSETTLE_STATE_DIR", "/tmp/s", 1);
  const auto paths = default_guard_paths();
  CHECK(paths.lock_file == "/tmp/r/lock");
  CHECK(paths.lock_info == "/tmp/r/holder.json");
  CHECK(paths.undo_directory == "/tmp/s/undo");
  ::unsetenv("NETSETTLE_RUN_DIR");
  ::unsetenv("NETSETTLE_STATE_DIR");
  if (::geteuid() == 0) CHECK(default_guard_paths().undo_directory == "/var/lib/netsettle/undo");
  if (::geteuid() == 0) CHECK(default_guard_paths().lock_file == "/run/netsettle/lock");
}

TEST_CASE("a process is known by its number and its start") {
  const auto self = own_identity();
  CHECK(self.pid == ::getpid());
  CHECK(identify(self.pid) == self);
  CHECK(is_running(self));
  CHECK(!is_running({self.pid, self.start + 1}));
  CHECK(!identify(-1));
}
