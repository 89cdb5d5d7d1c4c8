#include "tuner/report/dns_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/load.hpp"
#include "runners/loads/output_kind.hpp"
#include "tuner/report/json_parts.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 20240530;
constexpr std::int64_t kNanosecond = 1'000'000'000;

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

/// Seconds since 1970 as a series has them: printed in microseconds, which is all that a double has room for.
std::int64_t instant(double epoch_s) { return std::llround(epoch_s * 1e6) * 1000; }

bool is_epoch(double time_s) { return time_s > 1e9; }

/// Seconds between two lines of the series; 0 where there is none.
double interval_length(const std::vector<Interval>& intervals) {
  if (intervals.size() < 2) return 0;
  const double mean = (intervals.back().time_s - intervals.front().time_s) / static_cast<double>(intervals.size() - 1);
  return std::round(mean * 1000) / 1000;
}

struct Span {
  std::int64_t since = 0, until = 0;
};

/// When the load ran.
Span span_of(const MetricsRun& run) {
  const auto& intervals = run.load.intervals;
  const std::int64_t started = run.started_us * 1000, ended = run.ended_us * 1000;
  if (!run.load.runtime_s) return {started, ended};
  const std::int64_t lasted = nanoseconds(*run.load.runtime_s);
  if (intervals.empty() || !is_epoch(intervals.front().time_s)) return {std::max(started, ended - lasted), ended};
  const std::int64_t since = instant(intervals.front().time_s) - nanoseconds(interval_length(intervals));
  return {since, since + lasted};
}

Json object_of(const MetricsRun& run, std::string_view type) {
  Json object = {{"runid", run.run_id}};
  if (!run.sub_id.empty()) object["subid"] = run.sub_id;
  object["type"] = type;
  return object;
}

template <typename Number>
void put(Json& object, const char* key, const std::optional<Number>& value) {
  if (value) object[key] = *value;
}

Json header_of(const MetricsRun& run) {
  Json header = object_of(run, "header");
  header["schema_version"] = kSchemaVersion;
  header["generator"] = run.generator;
  header["generator_version"] = run.load.version.empty() ? "unknown" : run.load.version;
  if (!run.arguments.empty()) header["generator_params"] = run.arguments;
  header["time_units_per_sec"] = kNanosecond;
  header["stats_interval"] = interval_length(run.load.intervals);
  if (run.timeout_s > 0) header["timeout"] = run.timeout_s;
  if (!run.information.is_null()) header["additional_info"] = run.information;
  return header;
}

Json latency_of(const LoadReport& load) {
  Json latency = Json::object();
  const auto put_seconds = [&](const char* key, const std::optional<double>& seconds) {
    if (seconds) latency[key] = nanoseconds(*seconds);
  };
  put_seconds("avg", load.latency_avg_s);
  put_seconds("min", load.latency_min_s);
  put_seconds("max", load.latency_max_s);
  put_seconds("stddev", load.latency_stddev_s);
  return latency;
}

Json sum_of(const MetricsRun& run, const Span& span) {
  const LoadReport& load = run.load;
  Json sum = object_of(run, "stats_sum");
  sum["since"] = span.since;
  sum["until"] = span.until;
  put(sum, "queries", load.sent);
  put(sum, "responses", load.completed);
  put(sum, "timeouts", load.lost);
  put(sum, "interrupted", load.interrupted);
  if (!load.rcodes.empty()) sum["response_rcodes"] = load.rcodes;
  if (Json latency = latency_of(load); !latency.empty()) sum["response_latency"] = std::move(latency);
  return sum;
}

void add_intervals(const MetricsRun& run, const Span& span, std::vector<Json>& objects) {
  std::int64_t since = span.since;
  bool bogus = run.load.first_interval_bogus;
  for (const Interval& interval : run.load.intervals) {
    const std::int64_t until = is_epoch(interval.time_s) ? instant(interval.time_s) : span.since + nanoseconds(interval.time_s);
    if (!bogus && until > since) {
      Json object = object_of(run, "stats_periodic");
      object["since"] = since;
      object["until"] = until;
      object["responses"] = std::llround(interval.qps * static_cast<double>(until - since) / 1e9);
      if (run.load.timeout_lines > 0 || run.load.lost == 0) object["timeouts"] = interval.timeouts_before;
      objects.push_back(std::move(object));
    }
    bogus = false;
    since = std::max(since, until);
  }
}

// ---- from the record ----------------------------------------------------------------------------------------------------

const std::string* find_artifact(const std::vector<Artifact>& artifacts, const std::string& kind) {
  const auto found = std::ranges::find(artifacts, kind, &Artifact::kind);
  return found == artifacts.end() ? nullptr : &found->content;
}

LoadReport parsed(const Experiment& experiment, std::string_view kind, const std::string& output, const std::string& errors) {
  if (const auto load = runners::make_load(kind)) return (*load)->parse(output, errors);
  if (const auto load = runners::make_load(experiment.load)) return (*load)->parse(output, errors);
  return {};
}

std::string information_outcome(const Trial& trial) { return std::string(trial.outcome ? to_text(*trial.outcome) : to_text(trial.state)); }

Json information_of(const datasets::StudyRecord& record, const StudyView& study, const Trial& trial) {
  Json values = Json::object();
  const auto configuration = std::ranges::find(study.configurations, trial.configuration_id, &StudyConfiguration::id);
  if (configuration != study.configurations.end()) values = values_json(configuration->configuration);
  return {{"study", record.name},
          {"trial", trial.id},
          {"configuration", trial.configuration_id},
          {"values", std::move(values)},
          {"purpose", to_text(trial.purpose)},
          {"outcome", information_outcome(trial)}};
}

/// One run for each process whose output the record has.
std::vector<MetricsRun> runs_of(const MetricsRun& trial, const Experiment& experiment, const std::vector<Artifact>& artifacts) {
  std::vector<MetricsRun> runs;
  for (int process = 1;; ++process) {
    const std::string prefix = process == 1 ? "load." : fmt::format("load.{}.", process);
    const std::string* const output = find_artifact(artifacts, prefix + "stdout");
    if (output == nullptr) break;
    const std::string* const errors = find_artifact(artifacts, prefix + "stderr");
    const std::string* const arguments = find_artifact(artifacts, prefix + "argv");
    MetricsRun run = trial;
    run.sub_id = fmt::format("{}", process);
    run.generator = runners::kind_of_output(*output).value_or(experiment.load.kind);
    if (arguments != nullptr) run.arguments = runners::words_of(arguments->substr(0, arguments->find('\n')));
    run.load = parsed(experiment, run.generator, *output, errors == nullptr ? "" : *errors);
    runs.push_back(std::move(run));
  }
  if (runs.size() == 1) runs.front().sub_id.clear();
  return runs;
}

/// What is left where the raw output was pruned.
MetricsRun run_without_output(MetricsRun run, const Experiment& experiment, const Trial& trial, std::vector<Interval> series) {
  const auto value = [&](const char* name) -> std::optional<double> {
    const auto found = trial.measurements.find(name);
    return found == trial.measurements.end() ? std::nullopt : std::optional(found->second);
  };
  const auto count = [&](const char* name) -> std::optional<std::int64_t> {
    const auto number = value(name);
    return number ? std::optional<std::int64_t>(std::llround(*number)) : std::nullopt;
  };
  const auto seconds = [&](const char* name) {
    const auto number = value(name);
    return number ? std::optional(*number / 1e6) : std::nullopt;
  };
  run.generator = experiment.load.kind;
  run.load.sent = count("sent");
  run.load.completed = count("completed");
  run.load.lost = count("lost");
  run.load.latency_avg_s = seconds("latency_avg_us");
  run.load.latency_max_s = seconds("latency_max_us");
  run.load.intervals = std::move(series);
  return run;
}

bool has_counts(const MetricsRun& run) { return run.load.sent || run.load.completed; }

}  // namespace

std::vector<Json> metrics_objects(const MetricsRun& run) {
  std::vector<Json> objects = {header_of(run)};
  for (const Reason& finding : run.findings) {
    Json event = object_of(run, "event");
    event["msg"] = finding.detail;
    event["msg_type"] = finding.code;
    objects.push_back(std::move(event));
  }
  const Span span = span_of(run);
  add_intervals(run, span, objects);
  objects.push_back(sum_of(run, span));
  return objects;
}

Expected<MetricsCounts> write_dns_metrics(const datasets::Store& store, const datasets::StudyRecord& record, const StudyView& study,
                                          const TextSink& out) {
  MetricsCounts counts;
  for (const Trial& trial : study.trials) {
    const MetricsRun own = {.run_id = fmt::format("{}-{}-{}", record.name, record.created_us, trial.id),
                            .timeout_s = static_cast<double>(study.experiment.load.timeout.count()) / 1e6,
                            .started_us = trial.started_us,
                            .ended_us = trial.ended_us,
                            .information = information_of(record, study, trial),
                            .findings = trial.reasons};
    NETSETTLE_ASSIGN(const auto artifacts, store.artifacts(trial.id));
    auto runs = runs_of(own, study.experiment, artifacts);
    if (runs.empty()) {
      NETSETTLE_ASSIGN(auto series, store.samples(trial.id, "qps"));
      runs.push_back(run_without_output(own, study.experiment, trial, std::move(series)));
    }
    std::erase_if(runs, [](const MetricsRun& run) { return !has_counts(run); });
    if (runs.empty()) {
      ++counts.without_report;
      continue;
    }
    ++counts.trials;
    for (const MetricsRun& run : runs)
      for (const Json& object : metrics_objects(run))
        NETSETTLE_TRY(out(object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"));
  }
  return counts;
}

}  // namespace netsettle::tuner
