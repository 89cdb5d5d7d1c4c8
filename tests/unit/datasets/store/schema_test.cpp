// The schema is what the golden dump says; enumerations in code and record agree; migrations bring old files up to date.

#include <catch2/catch.hpp>

#include <array>
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

std::vector<std::string> column(const Connection& connection, const std::string& sql) {
  std::vector<std::string> values;
  auto query = connection.query(sql);
  if (!query) FAIL(to_text(query.error()));
  REQUIRE(query->for_each([&](const Statement& row) { values.push_back(row.text(0)); }));
  return values;
}

/// Every table, index and view as SQLite keeps it, the rows of the enumerations, and the two numbers of the file header.
std::string dump(const Connection& connection) {
  std::string text;
  for (const std::string& sql : column(connection, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"))
    text += sql + ";\n";
  for (const std::string& table : column(connection,
                                         "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%(value INTEGER PRIMARY KEY%' "
                                         "ORDER BY rowid"))
    for (const std::string& row : column(connection, fmt::format("SELECT value || ', ''' || name || '''' FROM {} ORDER BY value", table)))
      text += fmt::format("INSERT INTO {} VALUES ({});\n", table, row);
  text += fmt::format("PRAGMA application_id = {};\n", first_text(connection, "PRAGMA application_id"));
  text += fmt::format("PRAGMA user_version = {};\n", first_text(connection, "PRAGMA user_version"));
  return text;
}

template <typename Enumeration, std::size_t size>
void check_enumeration(const Connection& connection, std::string_view table, const std::array<Enumeration, size>& values) {
  INFO(table);
  CHECK(first_text(connection, fmt::format("SELECT count(*) FROM {}", table)) == std::to_string(size));
  for (const Enumeration value : values)
    CHECK(first_text(connection, fmt::format("SELECT name FROM {} WHERE value = {}", table, static_cast<int>(value))) == to_text(value));
}

template <typename Enumeration>
void check_names(const Connection& connection, std::string_view table, std::initializer_list<Enumeration> values) {
  INFO(table);
  CHECK(first_text(connection, fmt::format("SELECT count(*) FROM {}", table)) == std::to_string(values.size()));
  for (const Enumeration value : values)
    CHECK(first_text(connection, fmt::format("SELECT count(*) FROM {} WHERE name = '{}'", table, to_text(value))) == "1");
}

Connection new_database(const TemporaryFolder& folder) {
  REQUIRE(Store::create(folder.record(), sample_study(), 0));
  return raw(folder.record());
}

}  // namespace

TEST_CASE("The schema of every version equals its golden dump: a change is a new migration and a new dump") {
  const std::size_t version = GENERATE(1u, 2u);
  REQUIRE(version <= migrations().size());
  const TemporaryFolder folder;
  const Connection connection = raw(folder.record(), Access::create);
  REQUIRE(migrate(connection, migrations().first(version)));
  const std::string golden = read_file(fmt::format("{}/tests/unit/datasets/store/schema_v{}.sql", NETSETTLE_SOURCE_DIR, version));
  CHECK(dump(connection) == golden);
}

TEST_CASE("A new record has the newest schema") {
  const TemporaryFolder folder;
  CHECK(first_text(new_database(folder), "PRAGMA user_version") == std::to_string(schema_version()));
}

TEST_CASE("Every stored enumeration has the numbers and names of the code") {
  const TemporaryFolder folder;
  const Connection connection = new_database(folder);
  check_enumeration(connection, "study_status",
                    std::array{StudyStatus::fresh, StudyStatus::running, StudyStatus::paused, StudyStatus::converged,
                               StudyStatus::exhausted, StudyStatus::aborted});
  check_enumeration(connection, "trial_purpose",
                    std::array{Purpose::pilot, Purpose::baseline, Purpose::search, Purpose::confirm, Purpose::simplify, Purpose::manual,
                               Purpose::profile});
  check_enumeration(connection, "trial_state",
                    std::array{TrialState::planned, TrialState::applying, TrialState::warmup, TrialState::measuring, TrialState::done,
                               TrialState::failed, TrialState::interrupted});
  check_enumeration(connection, "trial_outcome", std::array{Outcome::measured, Outcome::failed, Outcome::invalid});
  check_enumeration(connection, "setting_status",
                    std::array{SettingStatus::ok, SettingStatus::same, SettingStatus::clamped, SettingStatus::refused,
                               SettingStatus::absent, SettingStatus::eperm, SettingStatus::eacces, SettingStatus::einval,
                               SettingStatus::eio, SettingStatus::enospc, SettingStatus::eoverflow, SettingStatus::drifted});
  check_enumeration(connection, "decision_kind",
                    std::array{DecisionKind::suggest, DecisionKind::promote, DecisionKind::eliminate, DecisionKind::unstable,
                               DecisionKind::infeasible, DecisionKind::drift, DecisionKind::stop, DecisionKind::winner,
                               DecisionKind::no_improvement, DecisionKind::cannot_tell, DecisionKind::pilot});
}

TEST_CASE("Parameter types and scales are stored by their names") {
  const TemporaryFolder folder;
  const Connection connection = new_database(folder);
  check_names(connection, "parameter_type",
              {ParameterType::integer, ParameterType::real, ParameterType::bytes, ParameterType::duration, ParameterType::boolean,
               ParameterType::categorical, ParameterType::cpus});
  check_names(connection, "parameter_scale", {Scale::linear, Scale::logarithmic});
}

TEST_CASE("Every table is strict") {
  const TemporaryFolder folder;
  CHECK(column(new_database(folder), "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND NOT strict")
            .empty());
}

TEST_CASE("A value must be of exactly one kind") {
  const TemporaryFolder folder;
  const Store store = new_record(folder.record());
  const Connection connection = raw(folder.record());
  const std::string values = GENERATE("1, 5, NULL, NULL", "2, NULL, NULL, NULL", "3, 1, 1.0, NULL", "4, NULL, NULL, 'x'",
                                      "5, NULL, NULL, NULL", "6, NULL, NULL, 'x'");
  const auto inserted = connection.execute("INSERT INTO configuration_value VALUES (1, 'x', " + values + ")");
  REQUIRE_FALSE(inserted);
  CHECK(inserted.error().code == ErrorCode::invalid_input);
}

TEST_CASE("An older file gets the scripts that it has not seen, and only those") {
  constexpr std::array kOld{Migration{.script = "CREATE TABLE one (x INTEGER)"}};
  constexpr std::array kNew{kOld[0], Migration{.script = "ALTER TABLE one ADD COLUMN y INTEGER"},
                            Migration{.script = "INSERT INTO one VALUES (1, 2)"}};
  const TemporaryFolder folder;
  const Connection connection = raw(folder.record(), Access::create);
  REQUIRE(migrate(connection, kOld));
  REQUIRE(check_identity(connection, 1));
  REQUIRE(check_identity(connection, 3));
  REQUIRE(migrate(connection, kNew));
  REQUIRE(migrate(connection, kNew));
  CHECK(first_text(connection, "SELECT x || y || count(*) FROM one") == "121");
  REQUIRE(check_identity(connection, 3));
  const auto too_new = check_identity(connection, 2);
  REQUIRE_FALSE(too_new);
  CHECK(too_new.error().code == ErrorCode::mismatch);
  CHECK_THAT(too_new.error().text, Catch::Contains("newer netsettle (schema 3, this one knows 2)"));
}

TEST_CASE("A reader sees an older file as if it had been brought up to date") {
  constexpr std::array kSteps{
      Migration{.script = "CREATE TABLE one (x INTEGER); INSERT INTO one VALUES (7)"},
      Migration{.script = "ALTER TABLE one ADD COLUMN y INTEGER", .reading = "CREATE TEMP VIEW one AS SELECT *, NULL AS y FROM main.one"},
      Migration{.script = "CREATE TABLE two (z INTEGER)", .reading = "CREATE TEMP TABLE two (z INTEGER)"}};
  const TemporaryFolder folder;
  REQUIRE(migrate(raw(folder.record(), Access::create), std::span(kSteps).first(1)));
  const Connection reader = raw(folder.record(), Access::read);
  REQUIRE(bridge_for_reading(reader, kSteps));
  CHECK(first_text(reader, "SELECT x || ifnull(y, '-') || (SELECT count(*) FROM two) FROM one") == "7-0");
  CHECK(first_text(raw(folder.record(), Access::read), "PRAGMA user_version") == "1");
}

TEST_CASE("A migration that fails changes nothing") {
  constexpr std::array kBroken{Migration{.script = "CREATE TABLE one (x INTEGER)"}, Migration{.script = "INSERT INTO nowhere VALUES (1)"}};
  const TemporaryFolder folder;
  const Connection connection = raw(folder.record(), Access::create);
  {
    auto transaction = Transaction::begin(connection, Transaction::Kind::write);
    CHECK_FALSE(migrate(connection, kBroken));
  }
  CHECK(first_text(connection, "SELECT count(*) FROM sqlite_schema") == "0");
  CHECK(first_text(connection, "PRAGMA user_version") == "0");
}
