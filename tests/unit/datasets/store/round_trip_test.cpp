// The study, its configurations, decisions and bundles come back from the record as they went in.

#include <catch2/catch.hpp>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

auto parts(const Domain& domain) {
  return std::tie(domain.name, domain.type, domain.low, domain.high, domain.step, domain.scale, domain.levels, domain.special,
                  domain.as_found);
}

auto parts(const Decision& decision) {
  return std::tie(decision.id, decision.at_us, decision.kind, decision.configuration_id, decision.versus, decision.method, decision.n,
                  decision.effect, decision.low, decision.high, decision.p, decision.alpha, decision.inputs_json);
}

}  // namespace

TEST_CASE("A study comes back from the record as it went in") {
  const TemporaryFolder folder;
  const StudyRecord written = sample_study();
  REQUIRE(Store::create(folder.record(), written, 4096));
  const auto store = Store::open_reader(folder.record());
  REQUIRE(store);
  const StudyRecord read = store->study().value();
  CHECK(read.name == written.name);
  CHECK(read.spec_file == written.spec_file);
  CHECK(read.spec_text == written.spec_text);
  CHECK(read.overrides == written.overrides);
  CHECK(read.parent_record == written.parent_record);
  CHECK(read.spec_hash == written.spec_hash);
  CHECK(read.space_hash == written.space_hash);
  CHECK(read.workload_hash == written.workload_hash);
  CHECK(read.seed == written.seed);
  CHECK(read.until_us == written.until_us);
  CHECK(read.status == written.status);
  CHECK(read.created_us == written.created_us);
  CHECK(read.facts == written.facts);
  CHECK(read.as_found == written.as_found);
  CHECK(read.host_fingerprint == written.host_fingerprint);
  CHECK(read.host_facts_json == written.host_facts_json);
  CHECK(read.dropped == written.dropped);
  CHECK(read.objective_json == written.objective_json);
  CHECK(read.sources == written.sources);
  REQUIRE(read.domains.size() == written.domains.size());
  for (std::size_t i = 0; i < read.domains.size(); ++i) CHECK(parts(read.domains[i]) == parts(written.domains[i]));
}

TEST_CASE("A study without anything optional comes back as it went in") {
  const TemporaryFolder folder;
  REQUIRE(Store::create(folder.record(), StudyRecord{}, 0));
  const auto store = Store::open_reader(folder.record());
  const StudyRecord read = store.value().study().value();
  CHECK(read.name.empty());
  CHECK(read.until_us == std::nullopt);
  CHECK(read.status == StudyStatus::fresh);
  CHECK(read.overrides.empty());
  CHECK(read.domains.empty());
  CHECK(read.facts.empty());
  CHECK(read.host_facts_json.empty());
}

TEST_CASE("The space of an experiment is described in the study's parameters") {
  Experiment experiment;
  experiment.objective.maximize = "qps_per_cpu_second";
  experiment.objective.subject_to = {Expression::parse("lost_percent <= 0.1").value()};
  experiment.parameters = {{.name = "processes", .sets = {"server.processes"}, .low = Expression::number(1), .high = Expression::number(8)},
                           {.name = "batch",
                            .sets = {"server.batch"},
                            .low = Expression::number(1),
                            .high = Expression::number(64),
                            .scale = Scale::logarithmic,
                            .when = Expression::parse("processes > 1").value()}};
  const SearchSpace space = SearchSpace::resolve(experiment, {}, {}).value();
  StudyRecord written = sample_study();
  written.sources.clear();
  written.dropped.clear();
  describe_space(experiment, space, written);

  const TemporaryFolder folder;
  REQUIRE(Store::create(folder.record(), written, 0));
  const StudyRecord read = Store::open_reader(folder.record())->study().value();
  REQUIRE(read.domains.size() == 2);
  CHECK(read.domains[0].name == "processes");
  CHECK(read.domains[0].high == 8);
  CHECK(read.sources == written.sources);
  CHECK(read.sources.at("batch").sets == std::vector<std::string>{"server.batch"});
  CHECK(read.sources.at("batch").active_if == "processes > 1");
  CHECK(first_text(raw(folder.record()), "SELECT objective || objective_json FROM study") ==
        R"(qps_per_cpu_second{"maximize":"qps_per_cpu_second","min_effect":0.01,"subject_to":["lost_percent <= 0.1"]})");
}

TEST_CASE("What a host's facts say about it is in columns of its own") {
  const TemporaryFolder folder;
  REQUIRE(Store::create(folder.record(), sample_study(), 0));
  CHECK(first_text(raw(folder.record()),
                   "SELECT concat FROM (SELECT kernel || '|' || cpu_model || '|' || sockets || '|' || cores || '|' || threads "
                   "|| '|' || nodes || '|' || ram_bytes AS concat FROM host)") == "6.1.0|Example 9000|1|4|8|1|17179869184");
}

TEST_CASE("Status and deadline can be changed") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  REQUIRE(store.set_status(StudyStatus::converged));
  REQUIRE(store.set_until(std::nullopt));
  CHECK(store.study()->status == StudyStatus::converged);
  CHECK(store.study()->until_us == std::nullopt);
  REQUIRE(store.set_until(5));
  CHECK(store.study()->until_us == 5);
}

TEST_CASE("Configurations keep every kind of value exactly") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const std::vector<Configuration> written = {
      sample_configuration(),
      {{{"a", std::int64_t{1}}}},
      {{{"a", true}}},
      {{{"a", 0.1}, {"b", 1e300}, {"c", 5e-324}, {"d", 2.0}}},
      {{{"a", std::string()}, {"b", std::string("as-found")}, {"c", std::string("0-3,8")}, {"d", std::string("ü\0x", 4)}}},
      {{{"a", std::int64_t{INT64_MIN}}, {"b", std::int64_t{INT64_MAX}}}},
      {},
  };
  for (const Configuration& configuration : written) REQUIRE(store.add_configuration(configuration, "random"));
  const auto read = store.configurations().value();
  REQUIRE(read.size() == written.size() + 1);
  CHECK(read.front().id == kBaselineId);
  CHECK(read.front().origin == "baseline");
  for (std::size_t i = 0; i < written.size(); ++i) {
    CHECK(read[i + 1].id == static_cast<std::int64_t>(i) + 2);
    CHECK(read[i + 1].origin == "random");
    CHECK(read[i + 1].configuration == written[i]);
  }
}

TEST_CASE("An equal configuration gets the id that it has already") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  const std::int64_t id = store.add_configuration(sample_configuration(), "start").value();
  CHECK(store.add_configuration(sample_configuration(), "random").value() == id);
  CHECK(store.configurations()->size() == 2);
  CHECK(store.configurations()->back().origin == "start");
}

TEST_CASE("The state of a configuration is one that the record knows") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  REQUIRE(store.set_configuration_state(1, "eliminated", "10 % slower"));
  CHECK(first_text(raw(folder.record()),
                   "SELECT s.name || ': ' || state_reason FROM configuration JOIN configuration_state s ON s.value = state") ==
        "eliminated: 10 % slower");
  CHECK(store.set_configuration_state(1, "splendid", "").error().code == ErrorCode::invalid_input);
  CHECK(store.set_configuration_state(77, "active", "").error().code == ErrorCode::not_found);
}

TEST_CASE("Decisions come back with all inputs, absent ones absent") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  Decision full{.id = 1,
                .at_us = 99,
                .kind = DecisionKind::pilot,
                .configuration_id = 1,
                .versus = 1,
                .method = "paired-t-log",
                .n = 12,
                .effect = -0.05,
                .low = -0.1,
                .high = 0.01,
                .p = 0.25,
                .alpha = 0.05,
                .inputs_json = R"({"trials":[1,2]})"};
  Decision bare{.id = 2, .at_us = 100, .kind = DecisionKind::cannot_tell};
  CHECK(store.add_decision(full).value() == 1);
  CHECK(store.add_decision(bare).value() == 2);
  const auto read = store.decisions().value();
  REQUIRE(read.size() == 2);
  CHECK(parts(read[0]) == parts(full));
  CHECK(parts(read[1]) == parts(bare));
}

TEST_CASE("A decision about a configuration that does not exist is refused") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  CHECK(store.add_decision({.kind = DecisionKind::winner, .configuration_id = 5}).error().code == ErrorCode::invalid_input);
  CHECK(store.decisions()->empty());
}

TEST_CASE("A bundle is kept with its SHA-256") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  REQUIRE(store.add_bundle(1, "sysctl.d", "abc"));
  CHECK(first_text(raw(folder.record()), "SELECT format || ' ' || CAST(content AS TEXT) || ' ' || sha256 FROM bundle") ==
        "sysctl.d abc ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(store.add_bundle(9, "sysctl.d", "abc").error().code == ErrorCode::invalid_input);
}

TEST_CASE("A session is recorded from its start to its end") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  CHECK(store.begin_session({.boot_id = "b", .pid = 7, .pid_start = 8, .tool_version = "0.1.0", .argv = {"netsettle", "run", "a\"b"}})
            .value() == 1);
  CHECK(first_text(raw(folder.record()), "SELECT argv_json || (ended_us IS NULL) FROM session") == R"(["netsettle","run","a\"b"]1)");
  REQUIRE(store.end_session("paused"));
  CHECK(first_text(raw(folder.record()), "SELECT end_reason || (ended_us >= started_us) FROM session") == "paused1");
  CHECK(first_text(raw(folder.record()), "SELECT value FROM meta WHERE key = 'tool_version'") == "0.1.0");
  CHECK(store.begin_session({}).value() == 2);
}
