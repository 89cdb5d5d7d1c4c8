// What the record costs: recording one trial, as a ratio to a bare SQLite insert of the same rows in the same run; the size of a night;
// opening, ranking and the next proposal on a record of 100,000 trials.

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/store/compression.hpp"
#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"
#include "strategies/racing/next_step.hpp"
#include "tests/bench/large_record.hpp"
#include "tuner/loop/study.hpp"
#include "tuner/report/report_data.hpp"

namespace {

using namespace netsettle;
using Clock = std::chrono::steady_clock;

constexpr int kTrials = 800;  // a night
constexpr int kManyTrials = 100'000;

double milliseconds_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

double quantile(std::vector<double> values, double share) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

/// What a trial of 30 s leaves: counters before and after, the load's output with its series, settings with their files.
TrialEvidence evidence() {
  TrialEvidence evidence;
  evidence.measure_s = 30;
  LoadReport load;
  std::string output;
  for (int i = 0; i < 160; ++i) {
    load.intervals.push_back({1796027685.0 + 0.2 * i, 90000.0 + i});
    output += fmt::format("{:.6f}: {:.6f}\n", load.intervals.back().time_s, load.intervals.back().qps);
  }
  evidence.load = load;
  evidence.artifacts = {{"load.stdout", output}};
  for (const char* kind : {"interrupts", "softnet", "softirqs", "snmp.server", "snmp.client", "snmp6.server", "snmp6.client", "stat",
                           "meminfo", "udp.server", "link.server", "qdisc.server", "conntrack.server"})
    for (const char* when : {"before", "after"}) {
      std::string table;
      for (int line = 0; line < 40; ++line)
        table += fmt::format("{}{}: {} {} {}\n", kind, line, line * 7919 % 104729, line * 104729 % 7919, kind[0] * line);
      evidence.artifacts.push_back({fmt::format("{}.{}", kind, when), table});
    }
  for (int setting = 0; setting < 10; ++setting)
    evidence.applied.push_back({.setting = fmt::format("sysctl.net.core.number_{}", setting),
                                .target = fmt::format("/proc/sys/net/core/number_{}", setting),
                                .requested = "4194304",
                                .before = "212992",
                                .effective = "4194304",
                                .at_end = "4194304",
                                .files = {{fmt::format("/proc/sys/net/core/number_{}", setting), "", "212992", "4194304"}}});
  return evidence;
}

Measurements measurements() {
  Measurements all = {{"qps", 90'000.0}, {"lost_percent", 0.0}};
  for (int i = 0; i < 18; ++i) all[fmt::format("number_{}", i)] = i;
  return all;
}

std::vector<double> record_all(const std::filesystem::path& file, const TrialEvidence& seen) {
  datasets::StudyRecord study;
  study.name = "bench";
  auto store = datasets::Store::create(file, study);
  if (!store || !store->begin_session({}) || !store->add_configuration({}, "baseline")) return {};
  std::vector<double> times;
  for (int i = 0; i < kTrials; ++i) {
    const auto ids = store->plan_trials({{.configuration_id = 1, .block = i + 1}});
    if (!ids) return {};
    datasets::TrialResult result;
    result.measurements = measurements();
    result.evidence = &seen;
    const auto start = Clock::now();
    if (!store->record_trial(ids->front(), result)) return {};
    times.push_back(milliseconds_since(start));
  }
  if (!store->end_session("done")) return {};
  return times;
}

using Inserts = std::vector<std::pair<datasets::Statement, int>>;  // statement, how many rows a trial

Expected<Inserts> prepare_bare(const datasets::Connection& database) {
  NETSETTLE_TRY(database.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE trial (a, b); CREATE TABLE number (a, b, c, PRIMARY KEY (a, b)) "
      "WITHOUT ROWID; CREATE TABLE setting (a, b, c, d, e, f, g, h, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE file (a, b, c, d, e, "
      "f, "
      "g, PRIMARY KEY (a, b, c)) WITHOUT ROWID; CREATE TABLE sample (a, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE text (a, b, "
      "c, d)"));
  constexpr std::pair<const char*, int> kInserts[] = {
      {"INSERT INTO trial VALUES (?1, ?2)", 1},
      {"INSERT INTO number VALUES (?1, ?2, 1.5)", 20},
      {"INSERT INTO setting VALUES (?1, ?2, 'sysctl.net.core.number_1', '/proc/sys/net/core/number_1', '4194304', '212992', '4194304', "
       "'4194304')",
       10},
      {"INSERT INTO file VALUES (?1, ?2, 0, '/proc/sys/net/core/number_1', '', '212992', '4194304')", 10},
      {"INSERT INTO sample VALUES (?1, ?2, 90000.5)", 160}};
  Inserts inserts;
  for (const auto& [sql, rows] : kInserts) {
    NETSETTLE_ASSIGN(auto statement, database.prepare(sql));
    inserts.emplace_back(std::move(statement), rows);
  }
  return inserts;
}

Expected<void> insert_one(const datasets::Connection& database, Inserts& inserts, datasets::Statement& text, int trial,
                          const std::vector<datasets::PackedText>& packed) {
  NETSETTLE_ASSIGN(auto transaction, datasets::Transaction::begin(database, datasets::Transaction::Kind::write));
  for (auto& [statement, rows] : inserts)
    for (int row = 0; row < rows; ++row) {
      statement.bind(trial, row);
      NETSETTLE_TRY(statement.finish());
    }
  for (const auto& one : packed) {
    text.bind(trial, one.sha256, one.bytes, datasets::Bytes(one.content));
    NETSETTLE_TRY(text.finish());
  }
  return transaction.commit();
}

/// The same rows by the least that SQLite takes for them: prepared statements, texts compressed before, one synced transaction a trial.
Expected<std::vector<double>> insert_all(const std::filesystem::path& file, const TrialEvidence& seen) {
  NETSETTLE_ASSIGN(const auto database, datasets::Connection::open(file, datasets::Access::create));
  NETSETTLE_ASSIGN(Inserts inserts, prepare_bare(database));
  NETSETTLE_ASSIGN(auto text, database.prepare("INSERT INTO text VALUES (?1, ?2, ?3, ?4)"));
  std::vector<datasets::PackedText> packed;
  for (const Artifact& artifact : seen.artifacts) {
    NETSETTLE_ASSIGN(auto one, datasets::pack(artifact.content));
    packed.push_back(std::move(one));
  }
  std::vector<double> times;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto start = Clock::now();
    NETSETTLE_TRY(insert_one(database, inserts, text, trial, packed));
    times.push_back(milliseconds_since(start));
  }
  return times;
}

int recording(const std::filesystem::path& folder) {
  const TrialEvidence seen = evidence();
  const auto bare = insert_all(folder / "bare.db", seen);
  const auto recorded = record_all(folder / "night.netsettle.db", seen);
  if (!bare || recorded.empty()) return 1;
  fmt::print("recording one trial (160 samples, 27 raw texts, 10 settings): median {:.2f} ms, 99 % below {:.2f} ms\n",
             quantile(recorded, 0.5), quantile(recorded, 0.99));
  fmt::print("bare SQLite insert of the same rows: median {:.2f} ms; ratio {:.1f}\n", quantile(*bare, 0.5),
             quantile(recorded, 0.5) / quantile(*bare, 0.5));
  fmt::print("record of a night of {} trials: {:.1f} MiB; bare {:.1f} MiB\n", kTrials,
             static_cast<double>(std::filesystem::file_size(folder / "night.netsettle.db")) / (1 << 20),
             static_cast<double>(std::filesystem::file_size(folder / "bare.db")) / (1 << 20));
  return 0;
}

/// Prints what a step took: on a busy machine the CPU time says more.
class Step {
 public:
  explicit Step(std::string what) : what_(std::move(what)) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() {
    fmt::print("{}: {:.0f} ms ({:.0f} ms of CPU time)\n", what_, milliseconds_since(start_),
               1e3 * static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC);
  }

 private:
  std::string what_;
  Clock::time_point start_ = Clock::now();
  std::clock_t cpu_ = std::clock();
};

/// Decisions (of the pilot) come before proposals; returns whether it ends with one.
bool propose(StudyView view) {
  for (int decisions = 0; decisions < 5; ++decisions) {
    const Step step(fmt::format("next step {}", decisions + 1));
    const auto next = strategies::next_step(view, {.trials = kManyTrials});
    const auto* decide = std::get_if<strategies::Decide>(&next);
    if (decide == nullptr) return std::holds_alternative<strategies::RunBlock>(next);
    view.decisions.insert(view.decisions.end(), decide->decisions.begin(), decide->decisions.end());
  }
  return false;
}

int reading(const std::filesystem::path& folder) {
  const auto file = folder / "large.netsettle.db";
  if (const auto made = bench::make_large_record(file, kManyTrials); !made) {
    fmt::print(stderr, "record_bench: {}\n", to_text(made.error()));
    return 1;
  }
  fmt::print("a record of {} trials with {} samples each: {:.0f} MiB\n", kManyTrials, bench::kSamples,
             static_cast<double>(std::filesystem::file_size(file)) / (1 << 20));
  const auto open = [&] {
    const Step step("opening");
    return datasets::Store::open_reader(file);
  };
  const auto store = open();
  if (!store) return 1;
  const auto load = [&] {
    const Step step("reading the study");
    return tuner::load_view(*store);
  };
  const auto view = load();
  const auto study = store->study();
  if (!view || !study) return 1;
  {
    const Step step(fmt::format("ranking and statistics of {} configurations", view->configurations.size()));
    if (tuner::collect(*view, *study).summaries.empty()) return 1;
  }
  return propose(*view) ? 0 : 1;
}

}  // namespace

int main() {
  std::string pattern = std::filesystem::temp_directory_path() / "netsettle-bench-XXXXXX";
  if (!mkdtemp(pattern.data())) return 1;
  int result = recording(pattern);
  if (result == 0) result = reading(pattern);
  std::filesystem::remove_all(pattern);
  if (result != 0) fmt::print(stderr, "record_bench: the record could not be written or read\n");
  return result;
}
