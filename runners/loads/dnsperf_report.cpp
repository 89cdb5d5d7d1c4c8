// From everything that dnsperf printed to what a trial records.

#include <algorithm>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/dnsperf_output.hpp"
#include "runners/loads/printed_number.hpp"

namespace netsettle::runners {
namespace {

/// When dnsperf stopped sending, on the clock of its series. Plain intervals have seconds since 1970 without the start: it is one interval
/// (-S) before the first line. Late answers can make the run time longer than the time limit.
std::optional<double> end_of_sending(const DnsperfResult& result) {
  if (!result.final.runtime_s || result.intervals.empty()) return std::nullopt;
  const double lasted_s = std::min(*result.final.runtime_s, result.status.stop_seconds.value_or(*result.final.runtime_s));
  if (result.intervals.front().block) return lasted_s;
  const auto interval_s = number_argument(words_of(result.status.command_line.value_or("")), {'S'}, kDnsperfOptions);
  if (!interval_s) return std::nullopt;
  return result.intervals.front().time_s - *interval_s + lasted_s;
}

std::vector<std::string> all_errors(const OutputMessages& messages) {
  std::vector<std::string> errors = messages.errors;
  if (messages.usage_printed) errors.push_back(messages.usage_error ? "usage: " + *messages.usage_error : "usage");
  return errors;
}

}  // namespace

std::string_view to_text(ReportState state) {
  switch (state) {
    case ReportState::complete:
      return "complete";
    case ReportState::partial:
      return "partial";
    case ReportState::none:
      break;
  }
  return "none";
}

LoadReport load_report(const DnsperfResult& result) {
  LoadReport report;
  const DnsperfBlock& block = result.final;
  report.complete = result.report == ReportState::complete;
  report.sent = block.sent;
  report.completed = block.completed;
  report.lost = block.lost;
  report.interrupted = block.interrupted;
  for (const auto& [name, count] : block.rcodes.value_or(RcodeCounts())) report.rcodes[name] += count;
  report.runtime_s = block.runtime_s;
  report.qps = block.qps;
  if (block.latency_line_seen) {
    report.latency_avg_s = block.latency.avg_s;
    report.latency_min_s = block.latency.min_s;
    report.latency_max_s = block.latency.max_s;
  }
  report.latency_stddev_s = block.latency.stddev_s;
  for (const auto& interval : result.intervals) report.intervals.push_back({interval.time_s, interval.qps, interval.timeouts_before});
  report.first_interval_bogus = result.first_interval_bogus;
  report.end_time_s = end_of_sending(result);
  report.version = result.banner.version.value_or("");
  report.timeout_lines = result.timeout_lines;
  report.errors = all_errors(result.messages);
  report.warnings = result.messages.warnings;
  return report;
}

LoadReport parse_dnsperf(std::string_view standard_output, std::string_view standard_error) {
  return load_report(read_dnsperf(standard_output, standard_error));
}

}  // namespace netsettle::runners
