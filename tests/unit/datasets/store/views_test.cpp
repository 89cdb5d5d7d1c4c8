// The views that people query.

#include <catch2/catch.hpp>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

/// All rows, columns joined by '|'.
std::vector<std::string> rows(const Connection& connection, const std::string& sql, int columns) {
  std::vector<std::string> lines;
  auto query = connection.query(sql);
  if (!query) FAIL(to_text(query.error()));
  REQUIRE(query->for_each([&](const Statement& row) {
    std::string line;
    for (int column = 0; column < columns; ++column) line += (column == 0 ? "" : "|") + row.text(column);
    lines.push_back(line);
  }));
  return lines;
}

struct FilledRecord {
  FilledRecord() : store(new_record(folder.record())) {
    fill(store);
    reader.emplace(raw(folder.record(), Access::read));
  }
  TemporaryFolder folder;
  Store store;
  std::optional<Connection> reader;
};

}  // namespace

TEST_CASE("v_configurations sums up the measured trials of each configuration and metric") {
  const FilledRecord record;
  CHECK(rows(*record.reader,
             "SELECT configuration_id, origin, state, metric, n, mean, minimum, maximum, spread FROM v_configurations "
             "WHERE metric = 'qps' ORDER BY 1",
             9) ==
        std::vector<std::string>{"1|baseline|active|qps|3|1000.0|990.0|1010.0|20.0", "2|start|winner|qps|3|1100.0|1080.0|1120.0|40.0"});
}

TEST_CASE("Invalid and failed trials have no weight in v_configurations") {
  const FilledRecord record;
  CHECK(rows(*record.reader, "SELECT count(*) FROM v_configurations WHERE configuration_id = 3", 1) == std::vector<std::string>{"0"});
}

TEST_CASE("v_best ranks by the objective and shows what a mean hides") {
  const FilledRecord record;
  CHECK(rows(*record.reader,
             "SELECT place, configuration_id, mean, round(versus_baseline_percent, 6), failed, invalid, above_limit FROM v_best "
             "ORDER BY place",
             7) == std::vector<std::string>{"1|2|1100.0|10.0|0|0|1", "2|1|1000.0|0.0|0|0|0"});
}

TEST_CASE("v_best counts failed and invalid trials beside the measured ones") {
  FilledRecord record;
  testing::record(record.store, 3, 3, 2, sample_result(900));
  CHECK(rows(*record.reader, "SELECT place, n, failed, invalid FROM v_best WHERE configuration_id = 3", 4) ==
        std::vector<std::string>{"3|1|1|1"});
}

TEST_CASE("v_best leaves out configurations that cannot win") {
  FilledRecord record;
  REQUIRE(record.store.set_configuration_state(2, GENERATE("unstable", "infeasible"), "spread"));
  CHECK(rows(*record.reader, "SELECT configuration_id FROM v_best", 1) == std::vector<std::string>{"1"});
}

TEST_CASE("v_best prefers the smaller value of a metric whose better direction is lower") {
  const TemporaryFolder folder;
  StudyRecord study = sample_study();
  study.objective_json = R"({"maximize":"lost_percent"})";
  Store store = Store::create(folder.record(), study, 0).value();
  for (const std::int64_t value : {1, 2}) REQUIRE(store.add_configuration({{{"a", value}}}, "random"));
  TrialResult lossy = sample_result(1);
  lossy.measurements["lost_percent"] = 5;
  record(store, 1, 1, 0, lossy);
  record(store, 2, 1, 1, sample_result(1));
  CHECK(rows(raw(folder.record()), "SELECT configuration_id FROM v_best ORDER BY place", 1) == std::vector<std::string>{"2", "1"});
}

TEST_CASE("v_trials shows every trial in words") {
  const FilledRecord record;
  CHECK(rows(*record.reader,
             "SELECT trial_id, block, position, attempt, configuration_id, purpose, state, outcome, suspect, reasons, objective, qps, "
             "lost_percent, started_utc, seconds FROM v_trials WHERE trial_id IN (1, 7, 8) ORDER BY 1",
             15) ==
        std::vector<std::string>{"1|1|0|1|1|search|done|measured|1|window-limited not-settled|1000.0|1000.0|0.01|2026-05-28 20:26:41|4.5",
                                 "7|1|2|1|3|search|failed|failed|0|server-start-failed|||||",
                                 "8|2|2|1|3|search|done|invalid|0|clock-step|5000000000.0|5000000000.0|||"});
}
