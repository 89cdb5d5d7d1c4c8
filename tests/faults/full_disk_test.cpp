// A journal that cannot be written means a machine that is not changed.

#include <sys/mount.h>
#include <sys/statvfs.h>

#include <fstream>

#include <catch2/catch.hpp>

#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using netsettle::tests::OperationKind;

namespace {

/// A small disk of its own at a folder.
class SmallDisk {
 public:
  SmallDisk(std::filesystem::path folder, const std::string& size) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    REQUIRE(::mount("tmpfs", folder_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0);
  }
  ~SmallDisk() { ::umount2(folder_.c_str(), MNT_DETACH); }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  void fill() const {
    std::ofstream file(folder_ / "filler", std::ios::app);
    const std::string block(4096, 'x');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())) && file.flush()) {
    }
  }

 private:
  std::filesystem::path folder_;
};

bool was_written(const Machine& machine) {
  return std::ranges::any_of(machine.log->operations(), [](const auto& operation) { return operation.kind == OperationKind::write; });
}

}  // namespace

TEST_CASE("on a full disk a study does not start and nothing is changed") {
  Machine machine;
  const SmallDisk disk(machine.paths().undo_directory, "64k");
  const auto guard = SettingsGuard::open(machine.guard_options());
  REQUIRE(!guard);
  CHECK(guard.error().code == ErrorCode::disk_full);
  CHECK(machine.log->operations().empty());
  CHECK(!lock_holder(machine.paths()));
}

TEST_CASE("a disk that fills up during a study keeps neither changing nor giving back from working") {
  Machine machine;
  const auto before = machine.contents();
  const SmallDisk disk(machine.paths().undo_directory, "2m");
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  disk.fill();
  for (int trial = 0; trial < 50; ++trial) {
    const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", fmt::format("{}", 300000 + trial)}});
    CHECK(rows[0].status == SettingStatus::ok);
  }
  CHECK(guard->restore().complete());
  CHECK(machine.contents() == before);
}

TEST_CASE("when even the reserve is used up nothing more is changed, and all is given back") {
  Machine machine;
  const auto before = machine.contents();
  const SmallDisk disk(machine.paths().undo_directory, "1100k");
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  disk.fill();
  SettingStatus status = SettingStatus::ok;
  for (int trial = 0; trial < 20000 && status == SettingStatus::ok; ++trial) {
    const std::string value = fmt::format("{}", 300000 + trial);
    status = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", value}})[0].status;
    CHECK((machine.host.content(Machine::kRmemMax) == value + "\n") == (status == SettingStatus::ok));
  }
  CHECK(status == SettingStatus::enospc);
  CHECK(guard->restore().complete());
  CHECK(machine.contents() == before);
}

TEST_CASE("where the journal may not be written a study does not start") {
  Machine machine;
  auto options = machine.guard_options();
  options.paths.undo_directory = "/proc/undo";
  CHECK(!SettingsGuard::open(options));
  CHECK(!was_written(machine));
}
