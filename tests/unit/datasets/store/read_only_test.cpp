// Records that may only be read: a read-only file system, another user.

#include <grp.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

constexpr uid_t kNobody = 65534;

/// A file system of the test's own that can be made read-only; needs root.
class Disk {
 public:
  Disk() {
    INFO("needs root: a file system is mounted");
    REQUIRE(::mount("netsettle-test", folder_.path().c_str(), "tmpfs", 0, "size=16m") == 0);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  ~Disk() { ::umount2(folder_.path().c_str(), MNT_DETACH); }
  void make_read_only() const { REQUIRE(::mount(nullptr, folder_.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0); }
  std::filesystem::path record() const { return folder_.record(); }

 private:
  TemporaryFolder folder_;
};

/// Runs `work` as a user who owns nothing; returns its result, which must fit into an exit status.
template <typename Work>
int as_nobody(Work work) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(255);
    ::_exit(work());
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/// The number of trials, or 200 and the error's code.
int count_trials(const std::filesystem::path& path) {
  const auto reader = Store::open_reader(path);
  if (!reader) return 200 + static_cast<int>(reader.error().code);
  const auto trials = reader->trials();
  return trials ? static_cast<int>(trials->size()) : 200 + static_cast<int>(trials.error().code);
}

void let_others_read(const TemporaryFolder& folder) {
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    std::filesystem::permissions(entry.path(), std::filesystem::perms{0644});
}

}  // namespace

TEST_CASE("A finished record on a read-only file system can be read") {
  const Disk disk;
  {
    fill(*std::make_unique<Store>(new_record(disk.record())));
  }
  disk.make_read_only();
  CHECK(count_trials(disk.record()) == 8);
}

TEST_CASE("A record on a read-only file system cannot be written, and the error says so") {
  const Disk disk;
  {
    const Store store = new_record(disk.record());
  }
  disk.make_read_only();
  const auto writer = Store::open_writer(disk.record());
  REQUIRE_FALSE(writer);
  CHECK(writer.error().code == ErrorCode::permission_denied);
  CHECK_THAT(writer.error().text, Catch::Contains("cannot be written"));
  CHECK(Store::create(disk.record().string() + "2", sample_study(), 0).error().code == ErrorCode::permission_denied);
}

TEST_CASE("Another user who may only read can watch a record that is being written") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  fill(writer);
  let_others_read(folder);
  CHECK(as_nobody([&] { return count_trials(folder.record()); }) == 8);
  record(writer, 1, 9, 0, sample_result(1));
  CHECK(as_nobody([&] { return count_trials(folder.record()); }) == 9);
  REQUIRE(writer.end_session("paused"));
  CHECK(as_nobody([&] { return count_trials(folder.record()); }) == 9);
}

TEST_CASE("Another user who may only read cannot become the writer") {
  const TemporaryFolder folder;
  {
    const Store store = new_record(folder.record());
  }
  let_others_read(folder);
  CHECK(as_nobody([&] { return static_cast<int>(Store::open_writer(folder.record()).error().code); }) ==
        static_cast<int>(ErrorCode::permission_denied));
}

TEST_CASE("What a killed writer left in its WAL can be read from a read-only file system") {
  const Disk disk;
  {
    const Store store = new_record(disk.record());
  }
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto store = Store::open_writer(disk.record());
    if (store) fill(*store);
    ::_exit(store ? 0 : 1);  // no destructor: as after a kill
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  disk.make_read_only();
  CHECK(count_trials(disk.record()) == 8);
}
