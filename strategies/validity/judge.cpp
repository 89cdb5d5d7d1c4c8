#include "strategies/validity/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strategies/validity/checks.hpp"
#include "strategies/validity/measurements.hpp"
#include "strategies/validity/series.hpp"
#include "strategies/validity/settling.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kCoverage = 0.8;  // of the measuring window

std::string or_else(const std::string& detail, std::string_view otherwise) { return detail.empty() ? std::string(otherwise) : detail; }

/// Where the sequence of the trial broke off.
void check_failure(const TrialEvidence& evidence, Findings& findings) {
  const std::string& detail = evidence.failure_detail;
  switch (evidence.failure) {
    case TrialFailure::none:
      return;
    case TrialFailure::setting_refused:
      return findings.failed("setting-refused", or_else(detail, "the machine refused a setting"));
    case TrialFailure::server_start_failed:
      return findings.failed("server-start-failed", or_else(detail, "the server did not become ready"));
    case TrialFailure::server_crashed:
      return findings.failed("server-crashed", or_else(detail, "the server ended during the trial"));
    case TrialFailure::nothing_answered:
      return findings.failed("nothing-answered", or_else(detail, "no query was answered"));
    case TrialFailure::load_failed:
      return findings.invalid("load-failed", or_else(detail, "the load generator failed"));
    case TrialFailure::wrong_rcode:
      return findings.invalid("wrong-rcode", or_else(detail, "the server answers with a response code outside load.accept"));
    case TrialFailure::interrupted:
      return findings.invalid("interrupted", or_else(detail, "the trial was interrupted"));
    case TrialFailure::internal:
      return findings.invalid("internal", or_else(detail, "a fault of netsettle"));
  }
}

std::size_t bogus_intervals(const LoadReport& load) { return load.first_interval_bogus ? 1 : 0; }

/// qps over the measuring window; the whole run's where the series does not reach it.
void measure_rate(const Experiment& experiment, const TrialEvidence& evidence, Measurements& measurements, Findings& findings) {
  const LoadReport& load = *evidence.load;
  const auto window = window_rate(load.intervals, evidence.warmup_s, evidence.measure_s, bogus_intervals(load));
  if (window) {
    measurements["qps"] = window->qps;
    if (evidence.measure_s > 0 && window->covered_s < kCoverage * evidence.measure_s)
      findings.suspect("short-series", fmt::format("the series covers {:.1f} s of the {:.1f} s that were to be measured", window->covered_s,
                                                   evidence.measure_s));
    return;
  }
  if (!load.qps) return;
  measurements["qps"] = *load.qps;
  const bool prints_series = experiment.load.kind == "dnsperf";
  if (prints_series)
    findings.suspect("short-series",
                     "no interval of the series lies in the measuring window: the rate is the whole run's, warm-up included");
}

/// Losses of the opening burst and of the warm-up are not the window's.
void measure_losses(const TrialEvidence& evidence, Measurements& measurements) {
  const auto losses = loss_times(*evidence.load, {.warmup_s = evidence.warmup_s, .timeout_s = evidence.load_timeout_s});
  if (!losses) return;
  measurements["burst_lost"] = static_cast<double>(losses->burst_lost);
  if (losses->window_lost_percent) measurements["window_lost_percent"] = *losses->window_lost_percent;
}

/// Times that cannot be true, standstills, and a rate that was still on its way.
void check_series(const TrialEvidence& evidence, Findings& findings) {
  const LoadReport& load = *evidence.load;
  const std::size_t skip = bogus_intervals(load);
  const std::optional<double> wall = evidence.load_s > 0 ? std::optional(evidence.load_s) : std::nullopt;
  if (const auto fault = series_clock_fault(load.intervals, wall, skip)) {
    if (fault->kind == SeriesFault::Kind::clock) return findings.invalid("clock-step", fault->text);
    findings.suspect("series-gap", fault->text);
  }
  const auto window = window_intervals(load.intervals, evidence.warmup_s, evidence.measure_s, skip);
  const auto still = std::ranges::count_if(window, [](const Interval& interval) { return interval.qps <= 0; });
  if (still > 0)
    return findings.suspect(
        "stalled",
        fmt::format("{} of {} intervals of the window had no answer at all: the server or the load stood still", still, window.size()));
  if (const auto settling = settling_of(window); settling && !settling->settled())
    findings.suspect("not-settled", settling_text(*settling));
}

void check_limits(const Experiment& experiment, const Measurements& measurements, Findings& findings) {
  const auto lookup = [&](std::string_view name) -> std::optional<ExpressionValue> {
    const auto found = measurements.find(name);
    if (found == measurements.end()) return std::nullopt;
    return ExpressionValue(found->second);
  };
  for (const Expression& limit : experiment.objective.subject_to) {
    const auto holds = limit.evaluate_bool(lookup);
    if (!holds || *holds) continue;
    const bool loss = std::ranges::any_of(limit.names(), [](const std::string& name) { return name.starts_with("lost"); });
    findings.note(loss ? "loss-above-limit" : "outside-limit", limit.text() + " does not hold");
  }
}

void check_objective(const Experiment& experiment, const Measurements& measurements, Findings& findings) {
  const std::string& objective = experiment.objective.maximize;
  if (!measurements.contains(objective))
    findings.invalid("objective-missing", fmt::format("{} could not be computed from what this load and server report", objective));
}

/// What is only worth looking at where load and server did their work.
void check_measured(const Experiment& experiment, const TrialEvidence& evidence, Measurements& measurements, Findings& findings) {
  measure_rate(experiment, evidence, measurements, findings);
  measure_losses(evidence, measurements);
  check_series(evidence, findings);
  check_instrument(evidence, findings);
  check_witnesses(evidence, findings);
  check_balance(experiment, evidence, findings);
  check_path(evidence, findings);
  check_company(evidence, findings);
  check_limits(experiment, measurements, findings);
  check_objective(experiment, measurements, findings);
}

}  // namespace

Judgement judge(const Experiment& experiment, const TrialEvidence& evidence) {
  Findings findings;
  Judgement judgement;
  check_settings(evidence, findings);
  check_failure(evidence, findings);
  check_drift(evidence, findings);
  check_machine(evidence, findings);
  if (evidence.failure == TrialFailure::none) {
    judgement.measurements = measure(evidence);
    check_load(experiment, evidence, findings);
  }
  if (findings.still_measured()) check_measured(experiment, evidence, judgement.measurements, findings);
  judgement.verdict = std::move(findings).take();
  return judgement;
}

}  // namespace netsettle::strategies
