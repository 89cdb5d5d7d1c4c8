#pragma once
// A small record with everything that an export can meet, always the same: values of several types, an inactive parameter, trials of every
// outcome, raw output of two load generators, a trial of which only the numbers are left, one that was imported.

#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"
#include "datasets/store/store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tuner {

constexpr std::string_view kSmallExperiment = R"(schema = 1
[study]
name = "small"
seed = 7
[rig]
kind = "namespaces"
[load]
queries = "queries.txt"
[parameters.processes]
sets = "server.processes"
type = "integer"
range = [1, 4]
[parameters.io_model]
sets = "server.io_model"
type = "categorical"
values = ["blocking", "epoll"]
when = "processes > 1"
[parameters.rmem]
sets = "sysctl.net.core.rmem_max"
type = "bytes"
range = ["64KiB", "8MiB"]
scale = "log"
[search]
strategy = "random"
[budget]
trials = 24
)";

constexpr std::string_view kSmallDnsperf = R"(DNS Performance Testing Tool
Version 2.10.0

[Status] Command line: dnsperf -s 127.0.0.1 -p 5300 -d queries.txt -l 1 -S 0.5
[Status] Sending queries (to 127.0.0.1:5300)
[Status] Started at: Mon Nov 30 06:30:01 2026
[Status] Stopping after 1.000000 seconds
1796020201.500250: 40000.000000
[Timeout] Query timed out: msg id 7
1796020202.000250: 42000.000000
[Status] Testing complete (time limit)

Statistics:

  Queries sent:         41001
  Queries completed:    41000 (100.00%)
  Queries lost:         1 (0.00%)

  Response codes:       NOERROR 40000 (97.56%), NXDOMAIN 1000 (2.44%)
  Average packet size:  request 39, response 47
  Run time (s):         1.000250
  Queries per second:   40989.752562

  Average Latency (s):  0.000913 (min 0.000019, max 0.162335)
  Latency StdDev (s):   0.009907

)";

constexpr std::string_view kSmallKxdpgun = R"(using interface k0, XDP threads 1, UDP, native mode
thread#00: sent 6010, received 6000
total queries:     6010 (3005 pps)
total replies:     6000 (3000 pps) (99%)
average DNS reply size: 47 B
average Ethernet reply rate: 2.6 Mbps (0.0 Gbps)
responded NOERROR:   6000
duration: 2 s
)";

/// The view is what the store holds.
struct SmallRecord {
  datasets::Store store;
  datasets::StudyRecord record;
  StudyView view;
};

inline Experiment small_experiment() {
  auto experiment = parse_experiment(kSmallExperiment, "/srv/small.toml", {});
  if (!experiment) FAIL(to_text(experiment.error().front()));
  return *std::move(experiment);
}

inline datasets::StudyRecord small_study(const Experiment& experiment, const SearchSpace& space) {
  datasets::StudyRecord study;
  study.name = "small";
  study.spec_file = "/srv/small.toml";
  study.spec_text = kSmallExperiment;
  study.overrides = {"budget.trials=24"};
  study.spec_hash = "spec";
  study.space_hash = "space";
  study.workload_hash = "workload";
  study.seed = 7;
  study.status = datasets::StudyStatus::converged;
  study.created_us = 1'796'020'200'000'000;
  study.facts = {{"cpus", 4}};
  study.as_found = {{"server.processes", std::int64_t{1}}, {"sysctl.net.core.rmem_max", std::int64_t{212992}}};
  study.host_fingerprint = "fingerprint";
  study.host_facts_json = R"({"kernel_release":"6.1.0"})";
  study.dropped = {{"busy_poll", "the kernel has no such setting"}};
  datasets::describe_space(experiment, space, study);
  return study;
}

namespace small {

inline TrialEvidence evidence(std::string_view output) {
  TrialEvidence evidence;
  evidence.applied = {{.setting = "sysctl.net.core.rmem_max",
                       .target = "/proc/sys/net/core/rmem_max",
                       .requested = "4194304",
                       .before = "212992",
                       .effective = "4194304",
                       .at_end = "4194304"}};
  evidence.load.emplace().intervals = {{0.5, 40000, 0}, {1, 42000, 1}};
  if (!output.empty())
    evidence.artifacts = {{"load.argv", "dnsperf -s 127.0.0.1 -p 5300 -l 1 -S 0.5\n"}, {"load.stdout", std::string(output)}};
  return evidence;
}

inline void record(datasets::Store& store, const datasets::PlannedTrial& plan, const datasets::TrialResult& result) {
  const auto ids = store.plan_trials({plan});
  REQUIRE(ids);
  const auto recorded = store.record_trial(ids->front(), result);
  if (!recorded) FAIL(to_text(recorded.error()));
}

inline datasets::TrialResult result(const Verdict& verdict, const Measurements& measurements, const TrialEvidence& evidence) {
  return {.state = verdict.outcome == Outcome::failed ? TrialState::failed : TrialState::done,
          .verdict = verdict,
          .measurements = measurements,
          .evidence = &evidence,
          .started_us = 1'796'020'200'500'000,
          .ended_us = 1'796'020'202'750'000};
}

inline void fill(datasets::Store& store) {
  const std::int64_t second =
      store
          .add_configuration({{{"processes", std::int64_t{2}}, {"io_model", std::string("epoll")}, {"rmem", std::int64_t{4194304}}}},
                             "random")
          .value();
  const TrialEvidence dnsperf = evidence(kSmallDnsperf), kxdpgun = evidence(kSmallKxdpgun), numbers = evidence("");
  const Measurements measured = {{"qps", 41000.5}, {"sent", 41001},         {"completed", 41000},
                                 {"lost", 1},      {"latency_avg_us", 913}, {"own", 0.1}};
  record(store, {.configuration_id = 1, .purpose = Purpose::pilot, .block = 1, .position = 0, .seed = 11}, result({}, measured, dnsperf));
  record(store, {.configuration_id = second, .block = 2, .position = 0, .seed = 12},
         result({.outcome = Outcome::measured, .suspect = true, .reasons = {{"not-settled", "still rising, by \"5 %\""}}}, {{"qps", 3000}},
                kxdpgun));
  record(store, {.configuration_id = 1, .purpose = Purpose::baseline, .block = 2, .position = 1, .seed = 13},
         result({}, measured, numbers));
  record(store, {.configuration_id = second, .block = 3, .position = 0, .seed = 14},
         result({.outcome = Outcome::failed, .reasons = {{"server-start-failed", "it did not start,\nin 5 s"}}}, {}, {}));
  REQUIRE(store.plan_trials({{.configuration_id = second, .block = 3, .position = 0, .attempt = 2, .retry_of = 4, .seed = 15}}));
  REQUIRE(store.add_decision({.at_us = 1'796'020'300'000'000,
                              .kind = DecisionKind::no_improvement,
                              .configuration_id = 1,
                              .method = "paired-t-log",
                              .n = 6,
                              .effect = 0.01,
                              .low = -0.02,
                              .high = 0.04,
                              .p = 0.4,
                              .alpha = 0.05,
                              .inputs_json = R"({"leader":2,"statement":"No improvement was proven."})"}));
}

}  // namespace small

inline SmallRecord small_record(const std::filesystem::path& path) {
  const Experiment experiment = small_experiment();
  const auto space = SearchSpace::resolve(experiment, {{"cpus", 4}}, {{"sysctl.net.core.rmem_max", std::int64_t{212992}}});
  REQUIRE(space);
  auto store = datasets::Store::create(path, small_study(experiment, *space), 1 << 16);
  if (!store) FAIL(to_text(store.error()));
  REQUIRE(store->add_configuration(space->baseline(), "baseline").value() == kBaselineId);
  small::fill(*store);
  auto record = store->study().value();
  StudyView view{.experiment = experiment,
                 .space = *space,
                 .configurations = store->configurations().value(),
                 .trials = store->trials().value(),
                 .decisions = store->decisions().value()};
  return {*std::move(store), std::move(record), std::move(view)};
}

}  // namespace netsettle::tuner
