// Copies, checks, merging, pruning and publishing of whole records.

#include <catch2/catch.hpp>

#include <fstream>
#include <random>
#include <sstream>

#include "datasets/store/care.hpp"
#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

void make_record(const std::filesystem::path& path) {
  Store store = new_record(path);
  fill(store);
  REQUIRE(store.end_session("paused"));
}

Examination examine(const std::filesystem::path& path) {
  auto examination = examine_record(path);
  if (!examination) FAIL(to_text(examination.error()));
  return *std::move(examination);
}

std::int64_t rows(const Examination& examination, std::string_view name) {
  for (const auto& [table, count] : examination.rows)
    if (table == name) return count;
  return -1;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("A copy that is made while a study writes has everything that was committed, in one file") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  fill(writer);
  const auto copy = folder.path() / "copy.netsettle.db";
  const auto bytes = backup_record(folder.record(), copy);
  if (!bytes) FAIL(to_text(bytes.error()));
  CHECK(*bytes == static_cast<std::int64_t>(std::filesystem::file_size(copy)));
  record(writer, 1, 9, 0, sample_result(1));
  CHECK(Store::open_reader(copy)->trials()->size() == 8);
  CHECK(first_text(raw(copy, Access::read), "PRAGMA journal_mode") == "delete");
  CHECK(examine(copy).findings.empty());
  const auto continued = Store::open_writer(copy);
  CHECK(continued);
}

TEST_CASE("A copy does not overwrite anything and needs a record") {
  const TemporaryFolder folder;
  make_record(folder.record());
  CHECK(backup_record(folder.record(), folder.record()).error().code == ErrorCode::conflict);
  CHECK(backup_record(folder.path() / "nothing", folder.path() / "copy").error().code == ErrorCode::not_found);
  std::ofstream(folder.path() / "text") << "no database";
  CHECK(backup_record(folder.path() / "text", folder.path() / "copy").error().code == ErrorCode::mismatch);
  CHECK(backup_record(folder.record(), folder.path() / "nowhere" / "copy").error().code == ErrorCode::not_found);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"study.netsettle.db", "text"});
}

TEST_CASE("A whole record has no findings, and its rows are counted") {
  const TemporaryFolder folder;
  make_record(folder.record());
  const std::string before = read_file(folder.record());
  const Examination examination = examine(folder.record());
  CHECK(examination.findings.empty());
  CHECK(examination.schema == 2);
  CHECK(rows(examination, "trials") == 8);
  CHECK(rows(examination, "configurations") == 3);
  CHECK(rows(examination, "raw_texts") == 18);
  CHECK(examination.raw_output_bytes > 0);
  CHECK(read_file(folder.record()) == before);
}

TEST_CASE("Raw output, bundles, configurations and references that are not what they were are found") {
  const TemporaryFolder folder;
  make_record(folder.record());
  struct Damage {
    std::string sql, finding;
  };
  const Damage damage = GENERATE(
      Damage{"UPDATE artifact SET content = X'00' WHERE artifact_id = 4", "trial 2, load.stdout"},
      Damage{"UPDATE artifact SET sha256 = 'x' WHERE artifact_id = 1", "its SHA-256 is not the recorded one"},
      Damage{"UPDATE bundle SET content = X'00'", "bundle 1, sysctl.d"},
      Damage{"UPDATE configuration_value SET integer_value = 3 WHERE name = 'processes' AND configuration_id = 2", "configuration 2"},
      Damage{"PRAGMA foreign_keys = OFF; DELETE FROM configuration WHERE configuration_id = 3",
             "rows of configuration_value name rows of configuration"});
  REQUIRE(raw(folder.record()).execute(damage.sql));
  const Examination examination = examine(folder.record());
  REQUIRE_FALSE(examination.findings.empty());
  CHECK_THAT(examination.findings.front(), Catch::Contains(damage.finding));
}

TEST_CASE("Pages that were overwritten are found") {
  const TemporaryFolder folder;
  make_record(folder.record());
  {
    std::fstream file(folder.record(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(folder.record()) / 4096 / 2 * 4096));
    file << std::string(8192, 'x');
  }
  CHECK_FALSE(examine(folder.record()).findings.empty());
}

TEST_CASE("Two records become one whose trials say where they are from") {
  const TemporaryFolder folder;
  const auto first = folder.path() / "monday.db", second = folder.path() / "tuesday.db", both = folder.path() / "both.db";
  make_record(first);
  {
    Store store = new_record(second);
    const TrialEvidence evidence = sample_evidence();
    TrialResult result = sample_result(1234, &evidence);
    result.started_us += 86'400'000'000;
    REQUIRE(store.add_configuration({{{"processes", std::int64_t{7}}}}, "random"));
    record(store, 2, 1, 0, result);
    plan(store, 1, 1, 1);
  }
  const auto merged = merge_records(first, second, both);
  if (!merged) FAIL(to_text(merged.error()));
  CHECK(merged->first.trials == 8);
  CHECK(merged->first.known == 0);
  CHECK(merged->second.trials == 1);
  CHECK(examine(both).findings.empty());

  const Store store = Store::open_writer(both).value();
  CHECK(store.study()->status == StudyStatus::paused);
  CHECK(store.configurations()->size() == 4);
  CHECK(store.decisions()->empty());
  const auto trials = store.trials().value();
  CHECK(trials.front().imported_from == "monday.db");
  const Trial& last = trials.back();
  CHECK(last.imported_from == "tuesday.db");
  CHECK(last.block == 4);
  CHECK(last.configuration_id == 4);
  CHECK(last.measurements.at("qps") == 1234);
  CHECK(store.applied(last.id)->front().files.size() == 2);
  CHECK(store.samples(last.id, "qps")->size() == 4);
  CHECK(store.artifacts(last.id)->size() == 3);
  CHECK(first_text(raw(both), "SELECT imported_trial FROM trial ORDER BY trial_id DESC LIMIT 1") == "1");
  CHECK(first_text(raw(both), "SELECT measure_us FROM trial ORDER BY trial_id DESC LIMIT 1") == "2500000");
}

TEST_CASE("A record merged with one that has its trials already gets each once, and keeps where they are from") {
  const TemporaryFolder folder;
  const auto first = folder.path() / "monday.db", second = folder.path() / "tuesday.db";
  make_record(first);
  make_record(second);
  const auto both = folder.path() / "both.db", again = folder.path() / "again.db";
  REQUIRE(merge_records(first, second, both));
  const auto merged = merge_records(both, first, again);
  REQUIRE(merged);
  const auto trials = Store::open_reader(again)->trials().value();
  CHECK(trials.front().imported_from == "monday.db");
  CHECK(merged->second.known > 0);
  CHECK(merge_records(first, first, folder.path() / "x").error().code == ErrorCode::invalid_input);
  CHECK(merge_records(first, second, both).error().code == ErrorCode::conflict);
}

TEST_CASE("What confirmed something in its own study informs the search of another") {
  const TemporaryFolder folder;
  const auto old = folder.path() / "old.db";
  {
    Store store = new_record(old);
    const auto ids = store.plan_trials(
        {{.configuration_id = 1, .purpose = Purpose::confirm, .block = 1}, {.configuration_id = 1, .purpose = Purpose::pilot, .block = 2}});
    for (const std::int64_t id : *ids) REQUIRE(store.record_trial(id, sample_result(1)));
  }
  Store store = new_record(folder.record());
  REQUIRE(store.import_trials(old, RawOutput::leave));
  CHECK(store.trials()->at(0).purpose == Purpose::search);
  CHECK(store.trials()->at(1).purpose == Purpose::pilot);
}

TEST_CASE("Trials can be taken as prior information without their raw output") {
  const TemporaryFolder folder;
  const auto old = folder.path() / "old.db";
  make_record(old);
  Store store = new_record(folder.record());
  const auto imported = store.import_trials(old, RawOutput::leave);
  if (!imported) FAIL(to_text(imported.error()));
  CHECK(imported->trials == 8);
  CHECK(store.artifacts(1)->empty());
  CHECK(store.samples(1, "qps")->size() == 4);
  CHECK(store.configurations()->front().id == kBaselineId);
  CHECK(store.import_trials(old, RawOutput::leave)->trials == 2);  // those without a time cannot be told from each other
}

TEST_CASE("Pruning takes raw output of old trials out and nothing else") {
  const TemporaryFolder folder;
  {
    Store store = new_record(folder.record());
    TrialEvidence evidence = sample_evidence();
    evidence.artifacts.push_back({"account", "{}"});
    std::mt19937 random(1);
    std::string noise(60'000, '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    evidence.artifacts.push_back({"load.stderr", noise});
    for (int block = 1; block <= 5; ++block) record(store, 1, block, 0, sample_result(block, &evidence));
  }
  const auto counted = prune_record(folder.record(), {.keep = 2});
  REQUIRE(counted);
  CHECK(counted->trials == 3);
  CHECK(counted->texts == 12);
  CHECK(counted->file_before == counted->file_after);
  CHECK(Store::open_reader(folder.record())->artifacts(1)->size() == 5);

  const auto pruned = prune_record(folder.record(), {.keep = 2, .act = PruneOptions::Do::remove});
  if (!pruned) FAIL(to_text(pruned.error()));
  CHECK(pruned->bytes == counted->bytes);
  CHECK(pruned->file_after < pruned->file_before);
  CHECK(pruned->file_after == static_cast<std::int64_t>(std::filesystem::file_size(folder.record())));
  const Store reader = Store::open_reader(folder.record()).value();
  CHECK(reader.artifacts(1)->size() == 1);
  CHECK(reader.artifacts(1)->front().kind == "account");
  CHECK(reader.artifacts(4)->size() == 5);
  CHECK(reader.trials()->size() == 5);
  CHECK(reader.samples(1, "qps")->size() == 4);
  CHECK(examine(folder.record()).findings.empty());
}

TEST_CASE("A record that is being written is not pruned") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  fill(writer);
  CHECK(prune_record(folder.record(), {.act = PruneOptions::Do::remove}).error().code == ErrorCode::busy);
  CHECK(prune_record(folder.record(), {})->texts == 18);
}

TEST_CASE("A publishable copy has other names in every text, also in raw output and bundles, and none in its free pages") {
  const TemporaryFolder folder;
  {
    StudyRecord study = sample_study();
    study.spec_file = std::string("/home") + "/alice/quick.toml";
    study.host_facts_json = R"({"kernel":"6.1.0","note":"labhost-7 at 192.168.7.9"})";
    Store store = Store::create(folder.record(), study, 0).value();
    REQUIRE(store.add_configuration({{{"address", std::string("192.168.7.9")}}}, "baseline"));
    TrialEvidence evidence = sample_evidence();
    evidence.applied[0].target = "alice@labhost-7";
    evidence.artifacts = {{"load.stdout", "to 192.168.7.9:53 from labhost-7"}, {"udp.server.before", "  1: 0907A8C0:0035 00000000:0000"}};
    record(store, 1, 1, 0, sample_result(1, &evidence));
    REQUIRE(store.add_bundle(1, "shell", "# made on labhost-7"));
  }
  const auto copy = folder.path() / "copy.db";
  Pseudonyms pseudonyms({.hosts = {"labhost-7"}, .users = {"alice"}});
  const auto written = write_publishable_copy(folder.record(), copy, pseudonyms);
  if (!written) FAIL(to_text(written.error()));
  const std::string bytes = read_file(copy);
  for (const char* word : {"labhost-7", "alice", "192.168.7.9"}) CHECK(bytes.find(word) == std::string::npos);
  CHECK(examine(copy).findings.empty());
  const Store reader = Store::open_reader(copy).value();
  CHECK(reader.artifacts(1)->at(0).content == "to 198.18.0.9:53 from host-1");
  CHECK(reader.artifacts(1)->at(1).content == "  1: 090012C6:0035 00000000:0000");
  CHECK(reader.applied(1)->front().target == "user-1@host-1");
  CHECK(reader.study()->spec_file == std::string("/home") + "/user-1/path-1.toml");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"copy.db", "study.netsettle.db"});
}
