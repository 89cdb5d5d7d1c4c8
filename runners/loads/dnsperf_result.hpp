#pragma once
// Everything that one output of dnsperf says. Absent is absent; with no answer at all dnsperf prints latencies of 0, which are kept.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/model/trial.hpp"
#include "runners/loads/output_messages.hpp"
#include "runners/loads/program_banner.hpp"

namespace netsettle::runners {

using RcodeCounts = std::vector<std::pair<std::string, std::int64_t>>;  // in the order of the text

/// `partial`: the final block breaks off before its last line that is always there; `none`: there is no final block.
enum class ReportState { none, partial, complete };
std::string_view to_text(ReportState state);

struct PrintedLatency {
  std::optional<double> avg_s, min_s, max_s, stddev_s;
  std::optional<std::string> stddev_text;  // where the line is there and is no number ("-nan")
};

struct PrintedConnections {
  std::optional<std::int64_t> reconnections, connections;  // up to 2.13; of how many connections: 2.12 and 2.13
  std::optional<std::int64_t> attempts, successful;        // from 2.14
  PrintedLatency latency;
};

struct HistogramBucket {
  double from_s = 0, to_s = 0;
  std::int64_t count = 0;
};
struct PrintedHistogram {
  std::int64_t buckets = 0, total = 0;
  std::optional<HistogramBucket> first, last;
};

/// A block of statistics: the final one, or that of an interval (-O verbose-interval-stats). In an interval the run time counts from the
/// start of the run, and the rate is that of the interval.
struct DnsperfBlock {
  std::optional<std::int64_t> sent, completed, lost, interrupted;
  std::optional<RcodeCounts> rcodes;
  std::optional<std::int64_t> request_bytes, response_bytes;
  std::optional<double> runtime_s, qps;
  PrintedLatency latency;
  bool latency_line_seen = false;
  std::optional<PrintedConnections> connection;
  std::optional<PrintedHistogram> answer_histogram, connection_histogram;
};

/// dnsperf looks for lost queries every 0.1 s and writes each message under one lock, in order, and with a flush of what came before: a
/// [Timeout] line that comes before an interval line was written before it. A query lost at t is reported from t + timeout on.
struct DnsperfInterval {
  double time_s = 0;  // end: seconds since 1970, or of run time where there is a block
  double qps = 0;
  std::int64_t timeouts_before = 0;   // [Timeout] lines since the interval before
  std::optional<DnsperfBlock> block;  // verbose intervals only
};

struct DnsperfStatus {
  std::optional<std::string> command_line, unit, target, started_at;
  std::optional<double> stop_seconds;
  std::optional<std::int64_t> stop_runs;
  std::optional<std::string> completion_reason;  // "time limit", "end of file", "interruption"
};

struct DnsperfResult {
  ProgramBanner banner;
  DnsperfStatus status;
  ReportState report = ReportState::none;
  DnsperfBlock final;
  std::vector<DnsperfInterval> intervals;
  bool first_interval_bogus = false;  // its count was divided by the time since 1970, by a race in dnsperf
  std::int64_t timeout_lines = 0;
  std::int64_t verbose_answers = 0, verbose_timeouts = 0, verbose_interrupted = 0;  // lines of -v
  OutputMessages messages;
};

/// The results of one stream with the messages of the other.
DnsperfResult with_messages(DnsperfResult output, const DnsperfResult& other);

/// Both streams of one run: messages count from both, results from standard output.
DnsperfResult read_dnsperf(std::string_view standard_output, std::string_view standard_error);

/// The part that a trial records.
LoadReport load_report(const DnsperfResult& result);

}  // namespace netsettle::runners
