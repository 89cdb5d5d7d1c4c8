// Records that earlier schemas have written: they are read as they are, and brought up to date when their study goes on.

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "datasets/store/schema.hpp"
#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The record that a released netsettle with this schema has left, from its dump.
void make_old_record(const std::filesystem::path& path, int version) {
  const std::string script = read_file(fmt::format("{}/tests/unit/datasets/store/records/schema_{}.sql", NETSETTLE_SOURCE_DIR, version));
  REQUIRE_FALSE(script.empty());
  const auto loaded = raw(path, Access::create).execute(script);
  if (!loaded) FAIL(to_text(loaded.error()));
  REQUIRE(first_text(raw(path, Access::read), "PRAGMA user_version") == std::to_string(version));
}

void check_contents(const Store& store) {
  const auto study = store.study();
  if (!study) FAIL(to_text(study.error()));
  CHECK(study->name == "first");
  CHECK(study->status == StudyStatus::converged);
  CHECK(study->parent_record == std::nullopt);
  CHECK(study->domains.size() == 1);
  CHECK(store.configurations()->size() == 2);
  const auto trials = store.trials();
  if (!trials) FAIL(to_text(trials.error()));
  REQUIRE(trials->size() >= 24);
  for (std::size_t i = 0; i < 24; ++i) {
    const Trial& trial = trials->at(i);
    CHECK(trial.state == TrialState::done);
    CHECK(trial.measurements.at("qps") > 10'000);
    CHECK(trial.imported_from == std::nullopt);
  }
  REQUIRE(store.applied(24)->size() == 1);
  CHECK(store.applied(24)->front().files.empty());
  CHECK_FALSE(store.samples(1, "qps")->empty());
  CHECK(store.artifacts(1)->size() == 3);
  const auto decisions = store.decisions();
  REQUIRE(decisions);
  CHECK(decisions->back().kind == DecisionKind::winner);
}

}  // namespace

TEST_CASE("A record of the first released schema can be read, and stays as it is") {
  const TemporaryFolder folder;
  make_old_record(folder.record(), 1);
  const std::string before = read_file(folder.record());
  {
    const auto reader = Store::open_reader(folder.record());
    if (!reader) FAIL(to_text(reader.error()));
    check_contents(*reader);
  }
  CHECK(read_file(folder.record()) == before);
}

TEST_CASE("A record of the first released schema goes on in the newest one, with all that it has") {
  const TemporaryFolder folder;
  make_old_record(folder.record(), 1);
  auto store = Store::open_writer(folder.record());
  if (!store) FAIL(to_text(store.error()));
  check_contents(*store);
  REQUIRE(store->begin_session({}));
  TrialEvidence evidence = sample_evidence();
  const std::int64_t id = record(*store, 1, 99, 0, sample_result(12'345, &evidence));
  CHECK(store->applied(id)->front().files.size() == 2);
  REQUIRE(store->end_session("paused"));
  check_contents(*store);
  const Connection connection = raw(folder.record(), Access::read);
  CHECK(first_text(connection, "PRAGMA user_version") == std::to_string(schema_version()));
  CHECK(first_text(connection, "PRAGMA integrity_check") == "ok");
  CHECK(first_text(connection, "SELECT count(*) FROM pragma_foreign_key_check") == "0");
}

TEST_CASE("An old record that was brought up to date has the schema of a new one") {
  const TemporaryFolder old_folder, new_folder;
  make_old_record(old_folder.record(), 1);
  {
    const Store old_store = Store::open_writer(old_folder.record()).value();
    const Store new_store = new_record(new_folder.record());
  }
  constexpr std::string_view kSchema = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY type, name)";
  CHECK(first_text(raw(old_folder.record()), std::string(kSchema)) == first_text(raw(new_folder.record()), std::string(kSchema)));
}
