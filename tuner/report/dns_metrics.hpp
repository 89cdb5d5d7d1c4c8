#pragma once
// A record as JSON lines by the DNS-OARC schema "DNS Metrics" (dns-metrics.schema.json, version 20240530), which kxdpgun writes as well:
// for each trial a header, its findings as events, the intervals, and the sum.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "datasets/model/trial.hpp"
#include "datasets/store/store.hpp"
#include "tuner/report/text_sink.hpp"

namespace netsettle::tuner {

/// One process of a load generator, as its output and the record have it.
struct MetricsRun {
  std::string run_id;
  std::string sub_id;  // where several processes made the load; else empty
  std::string generator;
  std::vector<std::string> arguments;
  LoadReport load;
  double timeout_s = 0;
  std::int64_t started_us = 0, ended_us = 0;     // of the trial: where the output does not say when it was
  nlohmann::ordered_json information = nullptr;  // "additional_info" of the header: study, trial, configuration
  std::vector<Reason> findings;
};

/// The objects of one run, header first. Times are in nanoseconds. Where the output does not say when the load ran, the run time is
/// taken to end with the trial. The answers of an interval follow from its printed rate. Counts that are absent have no key.
std::vector<nlohmann::ordered_json> metrics_objects(const MetricsRun& run);

struct MetricsCounts {
  int trials = 0;
  int without_report = 0;  // trials of which the record has neither an output nor counts: they are left out
};

/// Every trial that has a report of its load, from the raw output in the record, or from its measurements where that was pruned.
/// Failures: those of `out`; io where the record is damaged.
Expected<MetricsCounts> write_dns_metrics(const datasets::Store& store, const datasets::StudyRecord& record, const StudyView& study,
                                          const TextSink& out);

}  // namespace netsettle::tuner
