// Closing, opening again, and what an ended run leaves.

#include <catch2/catch.hpp>

#include <fstream>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("A record that is opened again continues where it was") {
  const TemporaryFolder folder;
  {
    Store store = new_record(folder.record());
    fill(store);
  }
  auto store = Store::open_writer(folder.record());
  REQUIRE(store);
  CHECK(store->trials()->size() == 8);
  CHECK(store->configurations()->size() == 3);
  CHECK(store->decisions()->size() == 1);
  CHECK(plan(*store, 1, 4, 0) == 9);
  CHECK(store->add_configuration(sample_configuration(), "random").value() == 2);
}

TEST_CASE("Trials that were live become interrupted, planned ones stay planned") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  record(store, 1, 1, 0, sample_result(1));
  const std::int64_t live = plan(store, 1, 1, 1);
  plan(store, 1, 1, 2);
  REQUIRE(store.set_trial_state(live, GENERATE(TrialState::applying, TrialState::warmup, TrialState::measuring)));
  CHECK(store.interrupt_live_trials().value() == 1);
  const auto trials = store.trials().value();
  CHECK(trials[0].state == TrialState::done);
  CHECK(trials[1].state == TrialState::interrupted);
  CHECK(trials[1].outcome == std::nullopt);
  REQUIRE(trials[1].reasons.size() == 1);
  CHECK(trials[1].reasons[0].code == "interrupted");
  CHECK(trials[2].state == TrialState::planned);
  CHECK(store.interrupt_live_trials().value() == 0);
}

TEST_CASE("The end of a session leaves one file that is complete") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  fill(store);
  CHECK(names_in(folder.path()).size() == 4);  // record, -wal, -shm, reserve
  REQUIRE(store.end_session("converged"));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"study.netsettle.db"});
  const auto copy = folder.path() / "copy.db";
  std::filesystem::copy_file(folder.record(), copy);
  CHECK(Store::open_reader(copy)->trials()->size() == 8);
  CHECK(first_text(raw(copy, Access::read), "PRAGMA journal_mode") == "delete");
}

TEST_CASE("Destroying a writer leaves one file too") {
  const TemporaryFolder folder;
  {
    fill(*std::make_unique<Store>(new_record(folder.record())));
  }
  CHECK(names_in(folder.path()) == std::vector<std::string>{"study.netsettle.db"});
}

TEST_CASE("A record that is being written is in WAL mode") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  CHECK(first_text(raw(folder.record(), Access::read), "PRAGMA journal_mode") == "wal");
}

TEST_CASE("Another session can follow in the same process") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  fill(store);
  REQUIRE(store.end_session("paused"));
  REQUIRE(store.begin_session({.boot_id = "other"}));
  record(store, 1, 9, 0, sample_result(1));
  CHECK(names_in(folder.path()).size() == 4);
  REQUIRE(store.end_session("converged"));
  CHECK(store.trials()->size() == 9);
  CHECK(first_text(raw(folder.record()), "SELECT session_id FROM trial ORDER BY trial_id DESC") == "2");
}

TEST_CASE("The reserve has real blocks while a record is written") {
  const TemporaryFolder folder;
  const Store store = new_record(folder.record(), 1 << 20);
  const auto reserve = folder.path() / "study.netsettle.db.reserve";
  CHECK(std::filesystem::file_size(reserve) == 1 << 20);
}

TEST_CASE("What a killed creation left does not stand in the way") {
  const TemporaryFolder folder;
  std::ofstream(folder.record().string() + ".new") << "half a database";
  std::ofstream(folder.record().string() + ".reserve") << "old";
  const Store store = new_record(folder.record());
  CHECK(store.configurations()->size() == 1);
  CHECK_FALSE(std::filesystem::exists(folder.record().string() + ".new"));
}
