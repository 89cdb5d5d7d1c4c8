// A full disk, on a small file system of the test's own.

#include <sys/mount.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <random>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

/// 4 MiB of memory as a disk; needs root.
class SmallDisk {
 public:
  SmallDisk() {
    INFO("needs root: a small file system is mounted");
    REQUIRE(::mount("netsettle-test", folder_.path().c_str(), "tmpfs", 0, "size=4m") == 0);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() { ::umount2(folder_.path().c_str(), MNT_DETACH); }

  std::filesystem::path record() const { return folder_.record(); }
  std::filesystem::path reserve() const { return folder_.record().string() + ".reserve"; }

  /// Takes every free block.
  void fill_up() const {
    std::ofstream ballast(folder_.path() / "ballast", std::ios::binary | std::ios::app);
    const std::string block(4096, 'b');
    while (ballast.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  void remove_ballast() const { std::filesystem::remove(folder_.path() / "ballast"); }

 private:
  TemporaryFolder folder_;
};

/// Raw output that does not compress.
TrialEvidence noisy_evidence(unsigned seed) {
  std::mt19937 random(seed);
  std::string noise(40'000, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  TrialEvidence evidence = sample_evidence();
  evidence.artifacts.push_back({"load.stdout", noise});
  return evidence;
}

}  // namespace

TEST_CASE("On a full disk the reserve lets the pending trial be committed") {
  const SmallDisk disk;
  Store store = new_record(disk.record(), 1 << 20);
  REQUIRE(store.begin_session({}));
  const std::int64_t id = plan(store, 1, 1, 0);
  REQUIRE(store.set_trial_state(id, TrialState::measuring));
  disk.fill_up();
  const TrialEvidence evidence = noisy_evidence(1);
  const auto recorded = store.record_trial(id, sample_result(7, &evidence));
  if (!recorded) FAIL(to_text(recorded.error()));
  CHECK(std::filesystem::file_size(disk.reserve()) == 0);
  CHECK(store.artifacts(id)->back().content == evidence.artifacts.back().content);
  REQUIRE(store.set_status(StudyStatus::paused));
  REQUIRE(store.end_session("the disk is full"));
  CHECK(Store::open_reader(disk.record())->trials()->front().measurements.at("qps") == 7);
}

TEST_CASE("Without a reserve a full disk is reported, and nothing of the trial is recorded") {
  const SmallDisk disk;
  Store store = new_record(disk.record(), 0);
  const std::int64_t id = plan(store, 1, 1, 0);
  REQUIRE(store.set_trial_state(id, TrialState::measuring));
  disk.fill_up();
  const TrialEvidence evidence = noisy_evidence(1);
  const auto recorded = store.record_trial(id, sample_result(7, &evidence));
  REQUIRE_FALSE(recorded);
  CHECK(recorded.error().code == ErrorCode::disk_full);
  CHECK(store.trials()->front().state == TrialState::measuring);
  CHECK(store.applied(id)->empty());
  disk.remove_ballast();
  CHECK(store.record_trial(id, sample_result(7, &evidence)));
}

TEST_CASE("After the disk has become full every recorded trial is still readable") {
  const SmallDisk disk;
  int recorded = 0;
  {
    Store store = new_record(disk.record(), 1 << 19);
    for (;; ++recorded) {
      REQUIRE(recorded < 1000);
      const auto ids = store.plan_trials({{.configuration_id = 1, .block = recorded + 1, .position = 0}});
      if (!ids) {
        CHECK(ids.error().code == ErrorCode::disk_full);
        break;
      }
      const TrialEvidence evidence = noisy_evidence(static_cast<unsigned>(recorded));
      const auto result = store.record_trial(ids->front(), sample_result(recorded, &evidence));
      if (!result) {
        CHECK(result.error().code == ErrorCode::disk_full);
        break;
      }
    }
    CHECK(store.trials()->size() >= static_cast<std::size_t>(recorded));
  }
  CHECK(recorded > 10);
  const auto reader = Store::open_reader(disk.record());
  if (!reader) FAIL(to_text(reader.error()));
  const auto trials = reader->trials().value();
  for (int i = 0; i < recorded; ++i) {
    const Trial& trial = trials.at(static_cast<std::size_t>(i));
    CHECK(trial.state == TrialState::done);
    CHECK(trial.measurements.at("qps") == i);
    CHECK(reader->artifacts(trial.id)->back().content == noisy_evidence(static_cast<unsigned>(i)).artifacts.back().content);
  }
  CHECK(first_text(raw(disk.record(), Access::read), "PRAGMA integrity_check") == "ok");
}

TEST_CASE("A plan does not use the reserve: a full disk is noticed before the trial") {
  const SmallDisk disk;
  Store store = new_record(disk.record(), 1 << 19);
  disk.fill_up();
  std::vector<PlannedTrial> block(2000, {.configuration_id = 1, .block = 1});
  for (int position = 0; PlannedTrial & trial : block) trial.position = position++;
  const auto planned = store.plan_trials(block);
  REQUIRE_FALSE(planned);
  CHECK(planned.error().code == ErrorCode::disk_full);
  CHECK(std::filesystem::file_size(disk.reserve()) == 1 << 19);
}

TEST_CASE("A record is not begun where its reserve does not fit") {
  const SmallDisk disk;
  const auto made = Store::create(disk.record(), sample_study(), 64 << 20);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::disk_full);
  CHECK_FALSE(std::filesystem::exists(disk.record()));
  CHECK_FALSE(std::filesystem::exists(disk.reserve()));
}
