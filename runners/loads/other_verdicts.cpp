// The verdicts of resperf and kxdpgun.

#include <cmath>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/output_verdict.hpp"
#include "runners/loads/verdict_rules.hpp"

namespace netsettle::runners {
namespace {

std::vector<std::string> resperf_reasons(const ResperfResult& result, const RunFacts& run) {
  const bool answered = *result.completed > 0;
  const std::int64_t others = other_answers(result.rcodes.value_or(RcodeCounts()), {"NOERROR", "NXDOMAIN"});
  Findings reasons;
  reasons.add("NOTHING_SENT", *result.sent == 0);
  reasons.add("ZERO_COMPLETED", *result.sent > 0 && !answered);
  reasons.add("RCODE", is_over(others, *result.completed, kMostUnaccepted));
  reasons.add("COUNT_MISMATCH", !adds_up(*result.sent, {*result.completed, *result.lost}));
  reasons.add("FELL_BEHIND_NEGATIVE", result.fell_behind_queries.value_or(0) < 0);
  reasons.add("ZERO_MAXIMUM", answered && *result.max_qps == 0);
  reasons.add("CONNECTION_FAILURES", too_few_succeeded(result.connection_attempts, result.connections_successful));
  reasons.add("CLOCK_STEP", outlasts_the_process(result.runtime_s, run));
  return reasons.names;
}

std::vector<std::string> resperf_notes(const ResperfResult& result) {
  const bool answered = *result.completed > 0;
  const std::int64_t others = other_answers(result.rcodes.value_or(RcodeCounts()), {"NOERROR", "NXDOMAIN"});
  const auto warned = [&](const char* kind) { return result.messages.warnings.contains(kind); };
  Findings notes;
  notes.add("CLIENT_LIMITED", result.end == ResperfEnd::fell_behind && result.fell_behind_queries.value_or(0) >= 0);
  notes.add("WINDOW_FULL", result.end == ResperfEnd::outstanding);
  notes.add("LIMIT_NOT_REACHED", result.end == ResperfEnd::planned);
  notes.add("RCODE_MINOR", is_some(others, *result.completed, kMostUnaccepted));
  notes.add("LOSS", answered && *result.lost > 0);
  notes.add("FEW_ANSWERS", answered && *result.completed < kFewAnswers);
  notes.add("INPUT_WARNINGS", warned("input_line"));
  notes.add("CONFIG_ADJUSTED", warned("adjusted"));
  notes.add("ODD_ANSWERS", warned("unexpected_id") || warned("short_response"));
  return notes.names;
}

/// kxdpgun ends as usual after a signal; only the short duration shows it.
bool ended_early(const KxdpgunBlock& block, const RunFacts& run) {
  constexpr double kDefault_s = 5, kNearlyAll = 0.9;
  const auto duration_s = duration_of(block);
  if (run.argv.empty() || !duration_s) return false;
  const double wanted_s = number_argument(run.argv, {'t', "duration"}, kKxdpgunOptions).value_or(kDefault_s);
  // A duration in whole seconds is rounded down, and the tool never stops before its time.
  return block.whole_seconds ? *duration_s < std::floor(wanted_s) : *duration_s < kNearlyAll * wanted_s;
}

std::optional<double> sending_rate(const KxdpgunBlock& block) {
  const KxdpgunRate& sent = block.queries.count ? block.queries : block.syns;
  if (sent.per_second) return static_cast<double>(*sent.per_second);
  const auto duration_s = duration_of(block);
  if (!sent.count || !duration_s || *duration_s <= 0) return std::nullopt;
  return static_cast<double>(*sent.count) / *duration_s;
}

bool rate_not_reached(const KxdpgunBlock& block, const RunFacts& run) {
  const auto rate = sending_rate(block);
  if (run.argv.empty() || !rate) return false;
  constexpr double kDefaultRate = 1000;
  return *rate < kReachedRate * number_argument(run.argv, {'Q', "qps"}, kKxdpgunOptions).value_or(kDefaultRate);
}

}  // namespace

OutputVerdict resperf_verdict(const ResperfResult& result, const RunFacts& run) {
  const auto failures = failures_of(result.report, result.messages, run);
  if (!failures.empty()) return verdict_of(failures, {}, {});
  return verdict_of({}, resperf_reasons(result, run), resperf_notes(result));
}

OutputVerdict kxdpgun_verdict(const KxdpgunResult& result, const RunFacts& run) {
  Findings failures{exit_reasons(run)};
  failures.add("NO_STATISTICS", result.report == ReportState::none);
  failures.add("PARTIAL_STATISTICS", result.report == ReportState::partial);
  failures.add("TOOL_ERROR", !result.errors.empty());
  if (!failures.names.empty()) return verdict_of(failures.names, {}, {});
  const KxdpgunBlock& block = *result.final;
  const auto sent = sent_of(block), replies = block.replies.count;
  const bool answered = replies.value_or(0) > 0;
  const std::int64_t others = other_answers(block.rcodes, {"NOERROR"});
  const std::int64_t lost = sent && replies ? *sent - *replies : 0;
  Findings reasons, notes;
  reasons.add("NOTHING_SENT", sent == 0);
  reasons.add("NO_REPLY_STATISTICS", sent != 0 && !replies);
  reasons.add("ZERO_COMPLETED", sent != 0 && replies == 0);
  reasons.add("INTERRUPTED", ended_early(block, run));
  reasons.add("RCODE", is_over(others, replies.value_or(0), kMostUnaccepted));
  reasons.add("HIGH_LOSS", answered && is_over(lost, sent.value_or(0), kMostLoss));
  reasons.add("CLOCK_STEP", outlasts_the_process(duration_of(block), run));
  notes.add("RCODE_MINOR", is_some(others, replies.value_or(0), kMostUnaccepted));
  notes.add("LOSS", answered && is_some(lost, sent.value_or(0), kMostLoss));
  notes.add("RATE_NOT_REACHED", rate_not_reached(block, run));
  notes.add("FEW_ANSWERS", answered && *replies < kFewAnswers);
  return verdict_of({}, reasons.names, notes.names);
}

}  // namespace netsettle::runners
