// Trials: planning, states, results.

#include <catch2/catch.hpp>

#include <limits>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

auto parts(const AppliedSetting& setting) {
  return std::tie(setting.setting, setting.target, setting.requested, setting.before, setting.effective, setting.at_end, setting.status,
                  setting.errno_value);
}

std::vector<std::vector<std::string>> files_of(const AppliedSetting& setting) {
  std::vector<std::vector<std::string>> files;
  for (const AppliedFile& file : setting.files) files.push_back({file.path, file.netns, file.before, file.effective});
  return files;
}

}  // namespace

TEST_CASE("A trial that was measured for another record says so") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  REQUIRE(store.plan_trials({{.configuration_id = 1, .block = 1, .imported_from = "old.netsettle.db", .imported_trial = 17},
                             {.configuration_id = 1, .block = 1, .position = 1}}));
  const auto trials = store.trials().value();
  CHECK(trials[0].imported_from == "old.netsettle.db");
  CHECK(trials[1].imported_from == std::nullopt);
  CHECK(first_text(raw(folder.record()), "SELECT imported_trial FROM trial WHERE imported_from IS NOT NULL") == "17");
}

TEST_CASE("A planned trial comes back with its place and its whole seed") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const auto ids =
      store.plan_trials({{.configuration_id = 1, .purpose = Purpose::pilot, .block = 3, .position = 0, .seed = UINT64_MAX},
                         {.configuration_id = 1, .purpose = Purpose::confirm, .block = 3, .position = 1, .attempt = 2, .retry_of = 1}});
  REQUIRE(ids);
  CHECK(*ids == std::vector<std::int64_t>{1, 2});
  const auto trials = store.trials().value();
  REQUIRE(trials.size() == 2);
  CHECK(trials[0].id == 1);
  CHECK(trials[0].configuration_id == 1);
  CHECK(trials[0].purpose == Purpose::pilot);
  CHECK(trials[0].block == 3);
  CHECK(trials[0].position == 0);
  CHECK(trials[0].attempt == 1);
  CHECK(trials[0].state == TrialState::planned);
  CHECK(trials[0].seed == UINT64_MAX);
  CHECK(trials[0].outcome == std::nullopt);
  CHECK(trials[0].started_us == 0);
  CHECK(trials[1].purpose == Purpose::confirm);
  CHECK(trials[1].attempt == 2);
}

TEST_CASE("A recorded trial comes back with verdict, reasons, measurements and times") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const TrialEvidence evidence = sample_evidence();
  record(store, 1, 1, 0, sample_result(50000.125, &evidence));
  record(store, 1, 1, 1, sample_result(1.0 / 3));
  const auto trials = store.trials().value();
  REQUIRE(trials.size() == 2);
  const Trial& trial = trials[0];
  CHECK(trial.state == TrialState::done);
  CHECK(trial.outcome == Outcome::measured);
  CHECK(trial.suspect);
  REQUIRE(trial.reasons.size() == 2);
  CHECK(trial.reasons[0].code == "window-limited");
  CHECK(trial.reasons[0].detail == "use load.rate");
  CHECK(trial.reasons[1].code == "not-settled");
  CHECK(trial.measurements == Measurements{{"qps", 50000.125}, {"lost_percent", 0.01}});
  CHECK(trial.started_us == 1'780'000'001'000'000);
  CHECK(trial.ended_us == 1'780'000'005'500'000);
  CHECK(trials[1].measurements.at("qps") == 1.0 / 3);
  CHECK(first_text(raw(folder.record()), "SELECT measure_us FROM trial") == "2500000");
}

TEST_CASE("Settings, samples and raw output of a trial come back as they were seen") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const TrialEvidence evidence = sample_evidence();
  const std::int64_t id = record(store, 1, 1, 0, sample_result(1, &evidence));

  const auto applied = store.applied(id).value();
  REQUIRE(applied.size() == evidence.applied.size());
  for (std::size_t i = 0; i < applied.size(); ++i) CHECK(parts(applied[i]) == parts(evidence.applied[i]));
  for (std::size_t i = 0; i < applied.size(); ++i) CHECK(files_of(applied[i]) == files_of(evidence.applied[i]));

  const auto samples = store.samples(id, "qps").value();
  REQUIRE(samples.size() == evidence.load->intervals.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CHECK(samples[i].time_s == Approx(evidence.load->intervals[i].time_s).margin(0.0005));
    CHECK(samples[i].qps == evidence.load->intervals[i].qps);
  }
  CHECK(store.samples(id, "latency")->empty());

  const auto artifacts = store.artifacts(id).value();
  REQUIRE(artifacts.size() == evidence.artifacts.size());
  for (std::size_t i = 0; i < artifacts.size(); ++i) {
    CHECK(artifacts[i].kind == evidence.artifacts[i].kind);
    CHECK(artifacts[i].content == evidence.artifacts[i].content);
  }
}

TEST_CASE("Raw output is kept compressed") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  TrialEvidence evidence;
  evidence.artifacts = {{"load.stdout", std::string(1'000'000, 'x')}};
  record(store, 1, 1, 0, sample_result(1, &evidence));
  CHECK(first_text(raw(folder.record()), "SELECT codec || ' ' || bytes || ' ' || (length(content) < 1000) FROM artifact") ==
        "zstd 1000000 1");
}

TEST_CASE("Damaged raw output is an error and not a text") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const TrialEvidence evidence = sample_evidence();
  const std::int64_t id = record(store, 1, 1, 0, sample_result(1, &evidence));
  const std::string damage = GENERATE("UPDATE artifact SET content = x'00'", "UPDATE artifact SET bytes = bytes + 1",
                                      "UPDATE artifact SET bytes = 4000000000000000000", "UPDATE artifact SET sha256 = 'no'");
  REQUIRE(raw(folder.record()).execute(damage));
  const auto artifacts = store.artifacts(id);
  REQUIRE_FALSE(artifacts);
  CHECK(artifacts.error().code == ErrorCode::io);
  CHECK_THAT(artifacts.error().text, Catch::Contains("damaged"));
}

TEST_CASE("A number that is not finite is absent in the record") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  TrialEvidence evidence;
  evidence.load.emplace();
  evidence.load->intervals = {{1, 5}, {2, std::numeric_limits<double>::quiet_NaN()}, {3, 6}};
  TrialResult result = sample_result(1, &evidence);
  result.measurements["latency_avg_us"] = std::numeric_limits<double>::quiet_NaN();
  result.measurements["imbalance"] = std::numeric_limits<double>::infinity();
  const std::int64_t id = record(store, 1, 1, 0, result);
  CHECK(store.trials()->front().measurements == Measurements{{"qps", 1.0}, {"lost_percent", 0.01}});
  CHECK(store.samples(id, "qps")->size() == 2);
}

TEST_CASE("Metrics carry unit and direction from the documented list") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  TrialResult result = sample_result(1);
  result.measurements["made_up"] = 3;
  record(store, 1, 1, 0, result);
  const Connection connection = raw(folder.record());
  const std::string row =
      "SELECT unit || '|' || k.name || '|' || b.name FROM metric m JOIN metric_kind k ON k.value = m.kind "
      "JOIN metric_better b ON b.value = m.better WHERE m.name = ";
  CHECK(first_text(connection, row + "'qps'") == std::string(find_metric("qps")->unit) + "|documented|higher");
  CHECK(first_text(connection, row + "'lost_percent'") == std::string(find_metric("lost_percent")->unit) + "|documented|lower");
  CHECK(first_text(connection, row + "'made_up'") == "|other|neither");
}

TEST_CASE("A failed and an invalid trial keep their kind") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  record(store, 1, 1, 0, failed_result("server-start-failed"));
  record(store, 1, 1, 1, invalid_result("clock-step"));
  const auto trials = store.trials().value();
  CHECK(trials[0].state == TrialState::failed);
  CHECK(trials[0].outcome == Outcome::failed);
  CHECK(trials[0].measurements.empty());
  CHECK(trials[1].state == TrialState::done);
  CHECK(trials[1].outcome == Outcome::invalid);
  CHECK(trials[1].reasons.front().code == "clock-step");
}

TEST_CASE("An interrupted trial has no outcome") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  record(store, 1, 1, 0, {.state = TrialState::interrupted, .verdict = {.reasons = {{"interrupted", "ctrl-C"}}}});
  const Trial trial = store.trials()->front();
  CHECK(trial.state == TrialState::interrupted);
  CHECK(trial.outcome == std::nullopt);
  CHECK(trial.reasons.front().detail == "ctrl-C");
}

TEST_CASE("A place in a block is taken once for each attempt") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  plan(store, 1, 1, 0);
  const auto again =
      store.plan_trials({{.configuration_id = 1, .block = 1, .position = 1}, {.configuration_id = 1, .block = 1, .position = 0}});
  REQUIRE_FALSE(again);
  CHECK(again.error().code == ErrorCode::conflict);
  CHECK(to_text(again.error()) == "block 1, position 0, attempt 1: is in the record already");
  CHECK(store.trials()->size() == 1);  // all of a block or nothing
  CHECK(plan(store, 1, 1, 0, 2) == 2);
}

TEST_CASE("A trial of an unknown configuration is refused") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  CHECK(store.plan_trials({{.configuration_id = 9, .block = 1}}).error().code == ErrorCode::invalid_input);
  CHECK(store.trials()->empty());
}

TEST_CASE("Only one trial of a study is live") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const std::int64_t first = plan(store, 1, 1, 0);
  const std::int64_t second = plan(store, 1, 1, 1);
  REQUIRE(store.set_trial_state(first, TrialState::applying));
  REQUIRE(store.set_trial_state(first, TrialState::warmup));
  REQUIRE(store.set_trial_state(first, TrialState::measuring));
  const auto both = store.set_trial_state(second, TrialState::applying);
  REQUIRE_FALSE(both);
  CHECK(both.error().code == ErrorCode::conflict);
  REQUIRE(store.record_trial(first, sample_result(1)));
  CHECK(store.set_trial_state(second, TrialState::applying));
}

TEST_CASE("A recorded trial never changes") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const std::int64_t id = record(store, 1, 1, 0, sample_result(1));
  CHECK(store.record_trial(id, sample_result(2)).error().code == ErrorCode::conflict);
  CHECK(store.set_trial_state(id, TrialState::measuring).error().code == ErrorCode::conflict);
  CHECK(store.trials()->front().measurements.at("qps") == 1);
}

TEST_CASE("States that belong to planning or recording cannot be set alone") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const std::int64_t id = plan(store, 1, 1, 0);
  CHECK(store.set_trial_state(id, TrialState::done).error().code == ErrorCode::invalid_input);
  CHECK(store.set_trial_state(id, TrialState::failed).error().code == ErrorCode::invalid_input);
  CHECK(store.set_trial_state(99, TrialState::applying).error().code == ErrorCode::not_found);
  CHECK(store.record_trial(99, sample_result(1)).error().code == ErrorCode::not_found);
  TrialResult unfinished = sample_result(1);
  unfinished.state = TrialState::measuring;
  CHECK(store.record_trial(id, unfinished).error().code == ErrorCode::invalid_input);
}

TEST_CASE("A result that breaks a rule of the record leaves nothing of itself behind") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const std::int64_t id = plan(store, 1, 1, 0);
  TrialEvidence evidence = sample_evidence();
  evidence.applied.back().status = static_cast<SettingStatus>(77);
  CHECK(store.record_trial(id, sample_result(1, &evidence)).error().code == ErrorCode::invalid_input);
  CHECK(store.trials()->front().state == TrialState::planned);
  CHECK(store.trials()->front().reasons.empty());
  CHECK(store.applied(id)->empty());
  REQUIRE(store.record_trial(id, sample_result(1)));
}
