// A disk that fails in the middle of a study.

#include <catch2/catch.hpp>

#include "tests/unit/datasets/store/failing_disk.hpp"
#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

void check_all_done(const Store& store, std::size_t trials) {
  const auto all = store.trials();
  REQUIRE(all);
  REQUIRE(all->size() >= trials);
  for (std::size_t i = 0; i < trials; ++i) {
    CHECK(all->at(i).state == TrialState::done);
    CHECK(all->at(i).measurements.at("qps") == static_cast<double>(i));
  }
}

}  // namespace

TEST_CASE(
    "Wherever the disk fails while a trial is recorded, the error says so, all earlier trials are there, and it can be recorded later") {
  FailingDisk disk;
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  REQUIRE(store.begin_session({}));
  const TrialEvidence evidence = sample_evidence();
  int failures = 0;
  for (int operations = 0; operations < 200; ++operations) {
    const std::int64_t id = plan(store, 1, operations + 1, 0);
    disk.fail_after(operations);
    const auto recorded = store.record_trial(id, sample_result(operations, &evidence));
    disk.repair();
    if (recorded) {
      check_all_done(store, static_cast<std::size_t>(operations) + 1);
      break;
    }
    ++failures;
    CHECK(recorded.error().code == ErrorCode::io);
    CHECK_THAT(recorded.error().text, Catch::Contains("disk I/O error"));
    check_all_done(store, static_cast<std::size_t>(operations));
    REQUIRE(store.record_trial(id, sample_result(operations, &evidence)));
  }
  CHECK(failures >= 3);
  CHECK(failures < 200);
  REQUIRE(store.end_session("paused"));
  CHECK(first_text(raw(folder.record(), Access::read), "PRAGMA integrity_check") == "ok");
}

TEST_CASE("Wherever the disk fails while a session is closed, every trial is there at the next opening") {
  FailingDisk disk;
  const int operations = GENERATE(range(0, 16));
  const TemporaryFolder folder;
  {
    Store store = new_record(folder.record());
    REQUIRE(store.begin_session({}));
    const TrialEvidence evidence = sample_evidence();
    for (int trial = 0; trial < 5; ++trial) record(store, 1, trial + 1, 0, sample_result(trial, &evidence));
    disk.fail_after(operations);
    (void)store.end_session("paused");
  }
  disk.repair();
  const auto store = Store::open_writer(folder.record());
  if (!store) FAIL(to_text(store.error()));
  check_all_done(*store, 5);
}
