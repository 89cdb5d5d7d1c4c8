#include "strategies/validity/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "strategies/validity/load_sanity.hpp"
#include "strategies/validity/measurements.hpp"
#include "strategies/validity/series.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kWrongRcodeShare = 0.01;         // of the answers
constexpr double kClientLossShare = 0.001;        // of the answers
constexpr double kDisagreement = 0.001;           // of the larger count
constexpr std::int64_t kDisagreementSlack = 100;  // readiness queries, strays
constexpr double kClockStep = 0.05;               // seconds
constexpr double kStealPercent = 10;
constexpr double kLeastMemoryPercent = 5;
constexpr double kUnexplainedPercent = 0.1;
constexpr double kWindowLimited = 0.5;
constexpr double kStarvedShare = 0.1;  // of the fair share of a worker
constexpr double kCoverage = 0.8;      // of the measuring window

/// Collects reasons. The first finding that ends in failed or invalid decides the outcome: what comes after may only be its consequence.
class Findings {
 public:
  void note(std::string code, std::string detail) { verdict_.reasons.push_back({std::move(code), std::move(detail)}); }
  void suspect(std::string code, std::string detail) {
    verdict_.suspect = true;
    note(std::move(code), std::move(detail));
  }
  void invalid(std::string code, std::string detail) { decide(Outcome::invalid, std::move(code), std::move(detail)); }
  void failed(std::string code, std::string detail) { decide(Outcome::failed, std::move(code), std::move(detail)); }
  bool still_measured() const { return verdict_.outcome == Outcome::measured; }
  Verdict take() && { return std::move(verdict_); }

 private:
  void decide(Outcome outcome, std::string code, std::string detail) {
    if (still_measured()) verdict_.outcome = outcome;
    note(std::move(code), std::move(detail));
  }

  Verdict verdict_;
};

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

bool is_refusal(SettingStatus status) {
  return status != SettingStatus::ok && status != SettingStatus::same && status != SettingStatus::clamped &&
         status != SettingStatus::drifted;
}

void check_settings(const TrialEvidence& evidence, Findings& findings) {
  for (const AppliedSetting& applied : evidence.applied) {
    if (is_refusal(applied.status))
      findings.failed("setting-refused",
                      fmt::format("{} = {} was refused ({})", applied.setting, applied.requested, to_text(applied.status)));
    else if (applied.status == SettingStatus::clamped)
      findings.note("setting-clamped",
                    fmt::format("{} is {}, not {}: the kernel took its own limit", applied.setting, applied.effective, applied.requested));
  }
}

void check_drift(const TrialEvidence& evidence, Findings& findings) {
  if (!evidence.drifted.empty())
    findings.invalid("setting-drift", fmt::format("changed by somebody else during the trial: {}", fmt::join(evidence.drifted, ", ")));
}

void check_machine(const TrialEvidence& evidence, Findings& findings) {
  if (std::abs(evidence.clock_step_s) > kClockStep)
    findings.invalid("clock-step", fmt::format("the clock was set by {:.0f} ms during the load", evidence.clock_step_s * 1e3));
  const CounterDeltas& counters = evidence.counters;
  if (counters.memory_available_percent && *counters.memory_available_percent < kLeastMemoryPercent)
    findings.invalid("memory-pressure", fmt::format("only {:.1f} % of the memory was available", *counters.memory_available_percent));
  if (counters.steal_percent && *counters.steal_percent > kStealPercent)
    findings.suspect("steal-jump", fmt::format("the hypervisor gave {:.0f} % of the CPU time to others", *counters.steal_percent));
}

void check_answers(const Experiment& experiment, const LoadReport& load, Findings& findings) {
  if (load.completed == 0) return findings.failed("nothing-answered", fmt::format("{} queries sent, none answered", load.sent.value_or(0)));
  const std::int64_t others = unaccepted_answers(load, experiment.load.accept);
  if (!load.completed || static_cast<double>(others) <= kWrongRcodeShare * static_cast<double>(*load.completed)) return;
  const auto unaccepted = [&](const auto& entry) {
    return std::ranges::find(experiment.load.accept, entry.first) == experiment.load.accept.end();
  };
  std::string worst;
  std::int64_t most = 0;
  for (const auto& entry : load.rcodes)
    if (unaccepted(entry) && entry.second > most) {
      worst = entry.first;
      most = entry.second;
    }
  findings.invalid("wrong-rcode", fmt::format("{} of {} answers have response codes outside load.accept, most of them {}", others,
                                              *load.completed, worst));
}

void check_load(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings) {
  if (!evidence.load) return findings.invalid("load-failed", "the load generator left no report");
  const LoadReport& load = *evidence.load;
  if (!load.complete)
    return findings.invalid("load-failed",
                            load.errors.empty() ? "the load's final statistics are missing" : "the load reports: " + load.errors.front());
  if (const std::string impossible = impossible_in(load, evidence.load_timeout_s); !impossible.empty())
    return findings.invalid("load-nonsense", "the load's report cannot be true: " + impossible);
  check_answers(experiment, load, findings);
}

/// Lost queries hold their places in the closed loop's window until they time out.
void check_window(const TrialEvidence& evidence, Findings& findings) {
  const LoadReport& load = *evidence.load;
  if (!load.lost || !load.runtime_s || !(*load.runtime_s > 0) || evidence.load_window <= 0) return;
  const double held =
      static_cast<double>(*load.lost) * evidence.load_timeout_s / (static_cast<double>(evidence.load_window) * *load.runtime_s);
  if (held >= kWindowLimited)
    findings.suspect("window-limited",
                     fmt::format("lost queries held {:.0f} % of the {} outstanding places until they timed out: the rate is the load's, "
                                 "not the server's; more load.outstanding helps",
                                 100 * held, evidence.load_window));
}

void check_client(const TrialEvidence& evidence, Findings& findings) {
  const auto& drops = evidence.counters.client.rcvbuf_errors;
  if (evidence.shared_counters || !drops || !evidence.load->completed) return;
  if (static_cast<double>(*drops) > kClientLossShare * static_cast<double>(*evidence.load->completed))
    findings.suspect("client-limited", fmt::format("the load's own socket buffers dropped {} answers: it cannot read as fast as the server "
                                                   "answers; give it more CPU or larger buffers",
                                                   *drops));
}

bool exceeds(std::int64_t larger, std::int64_t smaller) {
  const auto tolerance = static_cast<std::int64_t>(kDisagreement * static_cast<double>(std::max(larger, smaller)));
  return larger - smaller > tolerance + kDisagreementSlack;
}

/// The second witness: the server's own counts against the kernel's and the load's.
void check_witnesses(const TrialEvidence& evidence, Findings& findings) {
  const auto received = server_received(evidence), answered = server_answered(evidence);
  if (!received || !answered) return;
  const LoadReport& load = *evidence.load;
  if (load.sent && exceeds(*received, *load.sent))
    findings.invalid("counters-disagree", fmt::format("the server counts {} queries, the load sent {}", *received, *load.sent));
  if (load.completed && exceeds(*load.completed, *answered))
    findings.invalid("counters-disagree", fmt::format("the load counts {} answers, the server sent {}", *load.completed, *answered));
  // On loopback the kernel's counter holds the load's datagrams too, and everybody else's.
  const auto& kernel = evidence.counters.server.in;
  if (!evidence.shared_counters && kernel && (exceeds(*kernel, *received) || exceeds(*received, *kernel)))
    findings.invalid("counters-disagree", fmt::format("the server counts {} queries, the kernel gave it {}", *received, *kernel));
}

void check_balance(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings) {
  const auto share = worker_share(evidence);
  if (!share || share->workers < 2 || static_cast<double>(share->least) >= kStarvedShare * share->fair) return;
  const double percent = 100.0 * static_cast<double>(share->least) / (share->fair * share->workers);
  findings.note("flow-imbalance",
                fmt::format("one of {} workers got {:.1f} % of the queries; with {} load.clients few flows are spread over "
                            "them: more load.clients or another server.sockets",
                            share->workers, percent, experiment.load.clients));
}

/// Means nothing where the witnesses contradict each other.
void check_ledger(const TrialEvidence& evidence, Findings& findings) {
  if (!findings.still_measured()) return;
  const auto percent = unexplained_percent(evidence);
  if (percent && *percent > kUnexplainedPercent)
    findings.suspect("unexplained-loss", fmt::format("{:.2f} % of the queries were lost at no place that is counted", *percent));
}

/// qps over the measuring window; the whole run's where the series does not reach it.
void measure_rate(const TrialEvidence& evidence, Measurements& measurements, Findings& findings) {
  const LoadReport& load = *evidence.load;
  const auto window = window_rate(load.intervals, evidence.warmup_s, evidence.measure_s, load.first_interval_bogus ? 1 : 0);
  if (window) {
    measurements["qps"] = window->qps;
    if (evidence.measure_s > 0 && window->covered_s < kCoverage * evidence.measure_s)
      findings.suspect("short-series", fmt::format("the series covers {:.1f} s of the {:.1f} s that were to be measured", window->covered_s,
                                                   evidence.measure_s));
    return;
  }
  if (!load.qps) return;
  measurements["qps"] = *load.qps;
  findings.suspect("short-series", "no interval of the series lies in the measuring window: the rate is the whole run's, warm-up included");
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
  measure_rate(evidence, measurements, findings);
  check_window(evidence, findings);
  check_client(evidence, findings);
  check_witnesses(evidence, findings);
  check_balance(experiment, evidence, findings);
  check_ledger(evidence, findings);
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
