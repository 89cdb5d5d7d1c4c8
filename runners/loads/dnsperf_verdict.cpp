#include <algorithm>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/output_verdict.hpp"
#include "runners/loads/printed_number.hpp"
#include "runners/loads/verdict_rules.hpp"

namespace netsettle::runners {
namespace {

constexpr double kWindowLimited = 0.9, kWindowSuspect = 0.5;

/// The options that the rules need. Without any argument vector the defaults of dnsperf are no knowledge.
struct LoadOptions {
  std::optional<double> window, timeout_s, rate, interval_s;
};

LoadOptions load_options(const DnsperfResult& result, const RunFacts& run) {
  const std::vector<std::string> argv = run.argv.empty() ? words_of(result.status.command_line.value_or("")) : run.argv;
  if (argv.empty()) return {};
  const auto number = [&](char option) { return number_argument(argv, {option}, kDnsperfOptions); };
  constexpr double kDefaultWindow = 100, kDefaultTimeout_s = 5;
  return {number('q').value_or(kDefaultWindow), number('t').value_or(kDefaultTimeout_s), number('Q'), number('S')};
}

std::int64_t unaccepted(const DnsperfBlock& block, const RunFacts& run) {
  return other_answers(block.rcodes.value_or(RcodeCounts()), run.accepted_rcodes);
}

/// The latencies are impossible: no number, outside their own bounds, or longer than the run.
bool latency_is_nonsense(const PrintedLatency& latency, double runtime_s, const LoadOptions& options) {
  if (!latency.avg_s || !latency.min_s || !latency.max_s || latency.stddev_text) return true;
  if (*latency.avg_s < *latency.min_s || *latency.avg_s > *latency.max_s) return true;
  return options.timeout_s && *latency.max_s > runtime_s + *options.timeout_s + 1;
}

bool stalled(const std::vector<DnsperfInterval>& intervals) {
  return intervals.size() > 1 && std::any_of(intervals.begin() + 1, intervals.end(), [](const DnsperfInterval& interval) {
           return interval.block && interval.block->completed ? *interval.block->completed == 0 : interval.qps == 0;
         });
}

/// The times of the intervals go back, or jump by far more than an interval.
bool times_jump(const std::vector<DnsperfInterval>& intervals, const LoadOptions& options) {
  const double longest_s = options.interval_s ? 3 * *options.interval_s + 1 : 0;
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    const double step_s = intervals[i].time_s - intervals[i - 1].time_s;
    if (step_s < 0 || (options.interval_s && step_s > longest_s)) return true;
  }
  return false;
}

bool connections_failed(const std::optional<PrintedConnections>& connection) {
  return connection && too_few_succeeded(connection->attempts, connection->successful);
}

std::vector<std::string> reasons_of(const DnsperfResult& result, const RunFacts& run, const LoadOptions& options,
                                    const DnsperfShares& shares) {
  const DnsperfBlock& block = result.final;
  const std::int64_t sent = *block.sent, completed = *block.completed, interrupted = block.interrupted.value_or(0);
  const bool answered = completed > 0;
  Findings reasons;
  reasons.add("NOTHING_SENT", sent == 0);
  reasons.add("ZERO_COMPLETED", sent > 0 && !answered);
  reasons.add("INTERRUPTED", interrupted > 0 || result.status.completion_reason == "interruption");
  reasons.add("RCODE", is_over(unaccepted(block, run), completed, kMostUnaccepted));
  reasons.add("LATENCY_NONSENSE", answered && latency_is_nonsense(block.latency, *block.runtime_s, options));
  reasons.add("COUNT_MISMATCH", !adds_up(sent, {completed, *block.lost, interrupted}));
  reasons.add("HIGH_LOSS", answered && is_over(*block.lost, sent, kMostLoss));
  reasons.add("WINDOW_LIMITED", answered && shares.dead_slot_share.value_or(0) >= kWindowLimited);
  reasons.add("STALLED", answered && stalled(result.intervals));
  reasons.add("CONNECTION_FAILURES", connections_failed(block.connection));
  reasons.add("CLOCK_STEP", outlasts_the_process(block.runtime_s, run) || times_jump(result.intervals, options));
  return reasons.names;
}

std::vector<std::string> notes_of(const DnsperfResult& result, const RunFacts& run, const LoadOptions& options,
                                  const DnsperfShares& shares) {
  const DnsperfBlock& block = result.final;
  const std::int64_t sent = *block.sent, completed = *block.completed;
  const bool answered = completed > 0;
  const double dead_slots = shares.dead_slot_share.value_or(0);
  const auto warned = [&](const char* kind) { return result.messages.warnings.contains(kind); };
  Findings notes;
  notes.add("RCODE_MINOR", is_some(unaccepted(block, run), completed, kMostUnaccepted));
  notes.add("MIN_ZERO", answered && block.latency.min_s == 0.0);
  notes.add("LOSS", answered && is_some(*block.lost, sent, kMostLoss));
  notes.add("WINDOW_SUSPECT", answered && dead_slots >= kWindowSuspect && dead_slots < kWindowLimited);
  notes.add("RATE_NOT_REACHED", answered && options.rate && *block.qps < kReachedRate * *options.rate);
  notes.add("FIRST_INTERVAL_BOGUS", result.first_interval_bogus);
  notes.add("FEW_ANSWERS", answered && completed < kFewAnswers);
  notes.add("INPUT_WARNINGS", warned("input_line"));
  notes.add("CONFIG_ADJUSTED", warned("adjusted"));
  notes.add("ODD_ANSWERS", warned("unexpected_id") || warned("short_response"));
  return notes.names;
}

/// Nobody listens at the port: the kernel says so for each query.
bool server_is_dead(const DnsperfBlock& block, const RunFacts& run) {
  const auto no_ports = run.udp_deltas.find("NoPorts");
  return *block.sent > 0 && *block.completed == 0 && no_ports != run.udp_deltas.end() && no_ports->second >= *block.sent;
}

}  // namespace

DnsperfShares dnsperf_shares(const DnsperfResult& result, const RunFacts& run) {
  DnsperfShares shares;
  const DnsperfBlock& block = result.final;
  if (result.report != ReportState::complete) return shares;
  const LoadOptions options = load_options(result, run);
  constexpr int kDecimals = 6, kSlotDecimals = 4;
  const auto lost = static_cast<double>(*block.lost);
  if (*block.sent > 0) shares.loss_ratio = rounded(lost / static_cast<double>(*block.sent), kDecimals);
  if (options.window && *options.window > 0 && *block.runtime_s > 0)
    shares.dead_slot_share = rounded(lost * *options.timeout_s / (*options.window * *block.runtime_s), kSlotDecimals);
  if (*block.completed > 0)
    shares.unaccepted_rcode_share = rounded(static_cast<double>(unaccepted(block, run)) / static_cast<double>(*block.completed), kDecimals);
  return shares;
}

OutputVerdict dnsperf_verdict(const DnsperfResult& result, const RunFacts& run) {
  const auto failures = failures_of(result.report, result.messages, run);
  if (!failures.empty()) return verdict_of(failures, {}, {});
  const LoadOptions options = load_options(result, run);
  const DnsperfShares shares = dnsperf_shares(result, run);
  OutputVerdict verdict = verdict_of({}, reasons_of(result, run, options, shares), notes_of(result, run, options, shares));
  if (server_is_dead(result.final, run)) verdict.reasons_with_counters.push_back("SERVER_DEAD");
  return verdict;
}

}  // namespace netsettle::runners
