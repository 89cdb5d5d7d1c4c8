#include "tests/unit/datasets/store/sample_record.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

namespace netsettle::datasets::testing {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "netsettle-store-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

StudyRecord sample_study() {
  StudyRecord study;
  study.name = "quick";
  study.spec_file = "/srv/quick.toml";
  study.spec_text = "schema = 1\n[study]\nname = \"quick\"\n# ümlaut\n";
  study.overrides = {"budget.trials=40", "trial.measure=\"2s\""};
  study.spec_hash = "spec";
  study.space_hash = "space";
  study.workload_hash = "workload";
  study.seed = 0xfedcba9876543210;
  study.until_us = 1'790'000'000'000'000;
  study.parent_record = "last-week.netsettle.db";
  study.status = StudyStatus::running;
  study.created_us = 1'780'000'000'123'456;
  study.facts = {{"cores", 4}, {"cpus", 8}, {"link_gbps", 2.5}, {"nodes", 1}, {"ram", 17179869184.0}};
  study.as_found = {{"server.io_model", std::string("blocking")},
                    {"server.pinned", true},
                    {"sysctl.a", std::int64_t{212992}},
                    {"sysctl.b", 0.1},
                    {"sysctl.c", AsFound{}}};
  study.host_fingerprint = "fingerprint";
  study.host_facts_json = R"({"kernel":"6.1.0","cpu_model":"Example 9000","sockets":1})";
  study.dropped = {{"busy_poll", "the kernel has no such setting"}};
  study.objective_json = R"({"maximize":"qps","min_effect":0.01,"subject_to":["lost_percent <= 0.1"]})";
  study.domains = {
      Domain{.name = "rmem",
             .type = ParameterType::bytes,
             .low = 65536,
             .high = 1 << 24,
             .scale = Scale::logarithmic,
             .special = {std::int64_t{1 << 20}},
             .as_found = std::int64_t{212992}},
      Domain{.name = "share", .type = ParameterType::real, .low = 0.1, .high = 0.9, .step = 0.1},
      Domain{.name = "io_model", .type = ParameterType::categorical, .levels = {std::string("blocking"), std::string("as-found")}},
      Domain{.name = "pinned", .type = ParameterType::boolean, .levels = {false, true}, .as_found = true}};
  study.sources = {
      {"rmem", {.type = ParameterType::bytes, .sets = {"sysctl.net.core.rmem_max", "sysctl.net.core.rmem_default"}}},
      {"share", {.type = ParameterType::real, .sets = {"server.share"}, .active_if = "io_model == 'blocking'", .default_value = 0.5}},
      {"io_model", {.type = ParameterType::categorical, .sets = {"server.io_model"}}},
      {"pinned", {.type = ParameterType::boolean, .sets = {"server.pinned"}}},
      {"busy_poll", {.type = ParameterType::integer, .sets = {"sysctl.net.core.busy_poll"}}}};
  return study;
}

Configuration sample_configuration() {
  return {{{"io_model", std::string("epoll")}, {"pinned", false}, {"processes", std::int64_t{2}}, {"rmem", AsFound{}}, {"share", 0.1}}};
}

TrialEvidence sample_evidence() {
  TrialEvidence evidence;
  evidence.measure_s = 2.5;
  evidence.applied = {{.setting = "sysctl.net.core.rmem_max",
                       .target = "/proc/sys/net/core/rmem_max",
                       .requested = "4194304",
                       .before = "212992",
                       .effective = "4194304",
                       .at_end = "4194304",
                       .files = {{"/proc/sys/net/core/rmem_max", "ns-server", "212992", "4194304"},
                                 {"/proc/sys/net/core/rmem_max", "ns-client", "212992", "4194304"}}},
                      {.setting = "server.processes", .target = "command line", .requested = "as-found", .status = SettingStatus::same},
                      {.setting = "sysctl.x",
                       .target = "/proc/sys/x",
                       .requested = "7",
                       .before = "1",
                       .effective = "1",
                       .at_end = "1",
                       .status = SettingStatus::einval,
                       .errno_value = 22}};
  evidence.load.emplace();
  evidence.load->intervals = {{1.0, 50000.25}, {2.001, 51000}, {2.001, 49000.5}, {3.0, 0}};
  evidence.artifacts = {
      {"load.stdout", "Statistics:\n  Queries sent: 100\n"}, {"softnet.before", std::string("\0\1binary\xff", 9)}, {"empty", ""}};
  return evidence;
}

TrialResult sample_result(double qps, const TrialEvidence* evidence) {
  return {.state = TrialState::done,
          .verdict = {.outcome = Outcome::measured,
                      .suspect = true,
                      .reasons = {{"window-limited", "use load.rate"}, {"not-settled", "still rising"}}},
          .measurements = {{"qps", qps}, {"lost_percent", 0.01}},
          .evidence = evidence,
          .started_us = 1'780'000'001'000'000,
          .ended_us = 1'780'000'005'500'000};
}

TrialResult failed_result(std::string reason) {
  return {.state = TrialState::failed, .verdict = {.outcome = Outcome::failed, .reasons = {{std::move(reason), "it did not start"}}}};
}

TrialResult invalid_result(std::string reason) {
  return {.state = TrialState::done,
          .verdict = {.outcome = Outcome::invalid, .reasons = {{std::move(reason), "the clock was set"}}},
          .measurements = {{"qps", 5e9}}};
}

Store new_record(const std::filesystem::path& path, std::int64_t reserve_bytes) {
  auto store = Store::create(path, sample_study(), reserve_bytes);
  if (!store) FAIL(to_text(store.error()));
  REQUIRE(store->add_configuration({{{"processes", AsFound{}}, {"rmem", AsFound{}}}}, "baseline").value() == kBaselineId);
  return *std::move(store);
}

std::int64_t plan(Store& store, std::int64_t configuration_id, int block, int position, int attempt) {
  const auto ids = store.plan_trials({{.configuration_id = configuration_id,
                                       .block = block,
                                       .position = position,
                                       .attempt = attempt,
                                       .seed = 0xffffffffffffff00 + static_cast<std::uint64_t>(position)}});
  if (!ids) FAIL(to_text(ids.error()));
  return ids->front();
}

std::int64_t record(Store& store, std::int64_t configuration_id, int block, int position, const TrialResult& result) {
  const std::int64_t id = plan(store, configuration_id, block, position);
  if (const auto recorded = store.record_trial(id, result); !recorded) FAIL(to_text(recorded.error()));
  return id;
}

void fill(Store& store) {
  REQUIRE(store.begin_session({.boot_id = "boot", .pid = 42, .pid_start = 4242, .tool_version = "0.1.0", .argv = {"netsettle", "run"}}));
  const std::int64_t second = store.add_configuration(sample_configuration(), "start").value();
  const std::int64_t third = store.add_configuration({{{"processes", std::int64_t{99}}}}, "random").value();
  const TrialEvidence evidence = sample_evidence();
  constexpr double kBaseline[] = {1000, 1010, 990};
  constexpr double kSecond[] = {1100, 1120, 1080};
  for (int block = 1; block <= 3; ++block) {
    record(store, kBaselineId, block, 0, sample_result(kBaseline[block - 1], &evidence));
    TrialResult result = sample_result(kSecond[block - 1], &evidence);
    if (block == 3) result.verdict.reasons.push_back({"loss-above-limit", "0.2 % lost, 0.1 % allowed"});
    record(store, second, block, 1, result);
  }
  record(store, third, 1, 2, failed_result("server-start-failed"));
  record(store, third, 2, 2, invalid_result("clock-step"));
  REQUIRE(store.add_decision({.at_us = 7,
                              .kind = DecisionKind::winner,
                              .configuration_id = second,
                              .versus = kBaselineId,
                              .method = "paired-t-log",
                              .n = 3,
                              .effect = 0.1,
                              .low = 0.08,
                              .high = 0.12,
                              .p = 0.001,
                              .alpha = 0.05,
                              .inputs_json = "{}"}));
  REQUIRE(store.set_configuration_state(second, "winner", "confirmed"));
  REQUIRE(store.add_bundle(second, "sysctl.d", "net.core.rmem_max = 4194304\n"));
}

Connection raw(const std::filesystem::path& path, Access access) {
  auto connection = Connection::open(path, access);
  if (!connection) FAIL(to_text(connection.error()));
  return *std::move(connection);
}

std::string first_text(const Connection& connection, const std::string& sql) {
  auto query = connection.query(sql);
  if (!query) FAIL(to_text(query.error()));
  const auto row = query->step();
  if (!row) FAIL(to_text(row.error()));
  return *row ? query->text(0) : "";
}

}  // namespace netsettle::datasets::testing
