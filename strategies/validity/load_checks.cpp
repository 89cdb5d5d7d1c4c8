#include <fmt/format.h>

#include <algorithm>

#include "strategies/validity/checks.hpp"
#include "strategies/validity/load_sanity.hpp"
#include "strategies/validity/settling.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kWrongRcodeShare = 0.01;   // of the answers
constexpr double kClientLossShare = 0.001;  // of the answers
constexpr double kWindowLimited = 0.5;
constexpr double kRateReached = 0.95;   // of load.rate
constexpr double kWindowFull = 0.8;     // queries under way on average, of the window (Little's law)
constexpr double kIdleCpu = 0.5;        // share of its CPUs' time that a program leaves unused when it is not the limit
constexpr double kIdleMachine = 50;     // percent
constexpr double kHardlyLost = 0.0001;  // of the queries

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

/// Lost queries hold their places in the closed loop's window until they time out.
void check_window(const TrialEvidence& evidence, Findings& findings) {
  const LoadReport& load = *evidence.load;
  if (evidence.load_rate || !load.lost || !load.runtime_s) return;
  const auto held = held_share(*load.lost, evidence.load_timeout_s, evidence.load_window, *load.runtime_s);
  if (held && *held >= kWindowLimited)
    findings.suspect("window-limited",
                     fmt::format("lost queries held {:.0f} % of the {} outstanding places until they timed out: the rate is the load's, "
                                 "not the server's; more load.outstanding helps, or an open loop (load.rate)",
                                 100 * *held, evidence.load_window));
}

/// CPU time used, of what the program's CPUs had.
double cpu_share(const std::optional<ProcessUse>& use, int cpus, double seconds) {
  return use && cpus > 0 && seconds > 0 ? use->cpu_seconds / (cpus * seconds) : 1;
}

/// The window is full and nobody is busy: more queries under way would give more answers.
void check_round_trip(const TrialEvidence& evidence, Findings& findings) {
  const LoadReport& load = *evidence.load;
  if (evidence.load_rate || !load.qps || !load.latency_avg_s || !load.lost || !load.sent || evidence.load_window <= 0) return;
  const bool hardly_lost = static_cast<double>(*load.lost) <= kHardlyLost * static_cast<double>(*load.sent);
  const double under_way = *load.qps * *load.latency_avg_s;  // Little's law
  const bool window_full = under_way >= kWindowFull * static_cast<double>(evidence.load_window);
  const bool idle = evidence.counters.idle_percent.value_or(0) > kIdleMachine &&
                    cpu_share(evidence.server_use, evidence.server_cpus, evidence.load_s) < kIdleCpu &&
                    cpu_share(evidence.load_use, evidence.load_cpus, evidence.load_s) < kIdleCpu;
  if (hardly_lost && window_full && idle)
    findings.suspect("round-trip-limited",
                     fmt::format("all {} outstanding places were full while server and load were idle: the rate is the "
                                 "window over the round-trip time; more load.outstanding gives more",
                                 evidence.load_window));
}

void check_rate(const TrialEvidence& evidence, Findings& findings) {
  const LoadReport& load = *evidence.load;
  if (!evidence.load_rate || !load.sent || !load.runtime_s || !(*load.runtime_s > 0)) return;
  const double rate = static_cast<double>(*load.sent) / *load.runtime_s;
  if (rate < kRateReached * *evidence.load_rate)
    findings.suspect("rate-not-reached", fmt::format("the load sent {:.0f} queries a second, not the {:.0f} of load.rate: it is at its own "
                                                     "limit, or its window of {} was full; more load.instances or load.outstanding",
                                                     rate, *evidence.load_rate, evidence.load_window));
}

void check_own_limit(const TrialEvidence& evidence, Findings& findings) {
  if (!evidence.load->own_limit.empty())
    findings.suspect("client-limited", fmt::format("the load was the limit, not the server: {}", evidence.load->own_limit));
}

void check_client_buffers(const TrialEvidence& evidence, Findings& findings) {
  const auto& drops = evidence.counters.client.rcvbuf_errors;
  if (evidence.shared_counters || !drops || !evidence.load->completed) return;
  if (static_cast<double>(*drops) > kClientLossShare * static_cast<double>(*evidence.load->completed))
    findings.suspect("client-limited", fmt::format("the load's own socket buffers dropped {} answers: it cannot read as fast as the server "
                                                   "answers; give it more CPU or larger buffers",
                                                   *drops));
}

}  // namespace

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

void check_instrument(const TrialEvidence& evidence, Findings& findings) {
  check_window(evidence, findings);
  check_round_trip(evidence, findings);
  check_rate(evidence, findings);
  check_own_limit(evidence, findings);
  check_client_buffers(evidence, findings);
}

}  // namespace netsettle::strategies
