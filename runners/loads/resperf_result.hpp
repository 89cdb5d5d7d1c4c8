#pragma once
// Everything that one output of resperf says, and the file of its option -P.

#include "runners/loads/dnsperf_result.hpp"

namespace netsettle::runners {

/// Why resperf stopped sending. `planned`: no limit was reached.
enum class ResperfEnd { planned, fell_behind, outstanding };
std::string_view to_text(ResperfEnd end);

struct ResperfPlot {
  std::int64_t columns = 0, rows = 0;
  std::optional<double> max_responses_per_s, max_failures_per_s;
  std::vector<double> last_row;
};

struct ResperfResult {
  ProgramBanner banner;
  std::optional<std::string> command_line;
  bool constant_phase_line = false, testing_complete = false;
  std::optional<ResperfEnd> end;
  std::optional<std::int64_t> fell_behind_queries, fell_behind_qps;  // the first may be negative, by a fault of resperf
  std::optional<std::int64_t> outstanding_limit;
  ReportState report = ReportState::none;
  std::optional<std::int64_t> sent, completed, lost;
  std::optional<RcodeCounts> rcodes;
  std::optional<double> runtime_s, max_qps, lost_at_max_percent;
  std::optional<std::int64_t> reconnections, connection_attempts, connections_successful;
  std::optional<ResperfPlot> plot;
  OutputMessages messages;
};

/// Both streams of one run: messages count from both, results from standard output. `plot`: the content of the file of -P.
ResperfResult read_resperf(std::string_view standard_output, std::string_view standard_error, std::optional<std::string_view> plot);

/// The part that a trial records: the rate is the maximum throughput; there is no series.
LoadReport load_report(const ResperfResult& result);

}  // namespace netsettle::runners
