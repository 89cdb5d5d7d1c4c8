#include "tests/bench/large_record.hpp"

#include <cmath>

#include <fmt/format.h>

#include "datasets/model/experiment_file.hpp"
#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::bench {
namespace {

using datasets::Connection;
using datasets::Statement;

constexpr int kConfigurations = 500, kBlock = 10;

std::string experiment_text() {
  return R"(schema = 1
[study]
name = "large"
seed = 7
[rig]
kind = "loopback"
[load]
queries = "/dev/null"
[parameters.processes]
sets = "server.processes"
type = "integer"
range = [1, 64]
[parameters.threads]
sets = "server.threads"
type = "integer"
range = [1, 64]
[search]
strategy = "random"
[budget]
trials = 200000
)";
}

Expected<datasets::StudyRecord> study() {
  datasets::StudyRecord record;
  record.name = "large";
  record.spec_file = "/srv/large.toml";
  record.spec_text = experiment_text();
  const auto experiment = parse_experiment(record.spec_text, record.spec_file, {});
  if (!experiment) return fail(ErrorCode::internal, "large.toml", to_text(experiment.error().front()));
  record.spec_hash = experiment_hash(*experiment);
  record.facts = {{"cpus", 64}};
  record.as_found = {{"server.processes", std::int64_t{1}}, {"server.threads", std::int64_t{1}}};
  return record;
}

/// Deterministic numbers that look like noise.
double noise(int trial, int what) { return std::fmod(std::abs(std::sin(trial * 12.9898 + what * 78.233)) * 43758.5453, 1.0); }

struct Inserts {
  Statement trial, measurement, sample, applied;
};

Expected<Inserts> prepare(const Connection& connection) {
  NETSETTLE_ASSIGN(Statement trial, connection.prepare("INSERT INTO trial (trial_id, study_id, configuration_id, purpose, block, position, "
                                                       "attempt, state, outcome, suspect, seed, started_us, ended_us, measure_us) VALUES "
                                                       "(?1, 1, ?2, ?3, ?4, ?5, 1, 5, 1, 0, ?1, ?6, ?7, 30000000)"));
  NETSETTLE_ASSIGN(Statement measurement, connection.prepare("INSERT INTO measurement VALUES (?1, ?2, ?3)"));
  NETSETTLE_ASSIGN(Statement sample, connection.prepare("INSERT INTO sample VALUES (?1, 1, ?2, ?3, ?4)"));
  NETSETTLE_ASSIGN(Statement applied,
                   connection.prepare("INSERT INTO applied (trial_id, seq, setting, target, requested, before, effective, "
                                      "at_end, status) VALUES (?1, ?2, ?3, ?4, '8', '1', '8', '8', 1)"));
  return Inserts{std::move(trial), std::move(measurement), std::move(sample), std::move(applied)};
}

Expected<void> insert_trial(Inserts& inserts, int id, int metrics) {
  const int configuration = id <= 12 || id % kBlock == 0 ? 1 : 1 + id % kConfigurations;
  const std::int64_t start = std::int64_t{1'796'000'000'000'000} + std::int64_t{40'000'000} * id;
  const Purpose purpose = id <= 12 ? Purpose::pilot : Purpose::search;
  inserts.trial.bind(id, configuration, static_cast<int>(purpose), 1 + id / kBlock, id % kBlock, start, start + 38'000'000);
  NETSETTLE_TRY(inserts.trial.finish());
  for (int metric = 1; metric <= metrics; ++metric) {
    inserts.measurement.bind(id, metric, metric == 2 ? 0.0 : 90'000.0 + 1'000.0 * noise(id, metric) + 10.0 * configuration);
    NETSETTLE_TRY(inserts.measurement.finish());
  }
  for (int sample = 0; sample < kSamples; ++sample) {
    inserts.sample.bind(id, sample, 1'000 * sample, 90'000.0 + 1'000.0 * noise(id, sample));
    NETSETTLE_TRY(inserts.sample.finish());
  }
  for (int seq = 0; seq < 8; ++seq) {
    inserts.applied.bind(id, seq, fmt::format("sysctl.net.core.number_{}", seq), fmt::format("/proc/sys/net/core/number_{}", seq));
    NETSETTLE_TRY(inserts.applied.finish());
  }
  return {};
}

}  // namespace

Expected<void> make_large_record(const std::filesystem::path& file, int trials) {
  NETSETTLE_ASSIGN(const auto record, study());
  NETSETTLE_ASSIGN(auto store, datasets::Store::create(file, record));
  for (std::int64_t i = 0; i < kConfigurations; ++i)
    NETSETTLE_TRY(store.add_configuration(i == 0 ? Configuration{{{"processes", AsFound{}}, {"threads", AsFound{}}}}
                                                 : Configuration{{{"processes", 1 + i % 64}, {"threads", 1 + i / 64}}},
                                          i == 0 ? "baseline" : "random"));
  // One small trial through the store makes the rows of the metrics.
  NETSETTLE_ASSIGN(const auto ids, store.plan_trials({{.configuration_id = 1, .purpose = Purpose::pilot, .block = 1'000'000}}));
  datasets::TrialResult first;
  first.measurements = {{"qps", 90'000}};
  NETSETTLE_TRY(store.record_trial(ids.front(), first));
  first.measurements = {};
  NETSETTLE_ASSIGN(const Connection connection, Connection::open(file, datasets::Access::write));
  NETSETTLE_ASSIGN(datasets::Transaction transaction, datasets::Transaction::begin(connection, datasets::Transaction::Kind::write));
  NETSETTLE_TRY(connection.execute("DELETE FROM measurement; DELETE FROM trial; INSERT INTO metric VALUES (2, 'lost_percent', '%', 1, 2)"));
  int metrics = 2;
  for (const std::string_view name :
       {"sent", "completed", "lost", "latency_avg_us", "latency_max_us", "server_cpu_seconds", "load_cpu_seconds", "softirq_percent",
        "idle_percent", "interval_cv", "rcode_noerror", "rcode_nxdomain", "backlog_drops", "rcvbuf_errors", "time_squeeze", "steal_percent",
        "us_per_query", "memory_available_percent"})
    NETSETTLE_TRY(connection.run("INSERT INTO metric VALUES (?1, ?2, '', 2, 3)", ++metrics, name));
  NETSETTLE_ASSIGN(Inserts inserts, prepare(connection));
  for (int id = 1; id <= trials; ++id) NETSETTLE_TRY(insert_trial(inserts, id, metrics));
  NETSETTLE_TRY(transaction.commit());
  return connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace netsettle::bench
