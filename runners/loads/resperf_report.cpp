// From everything that resperf printed to what a trial records.

#include <fmt/format.h>

#include "runners/loads/resperf_result.hpp"

namespace netsettle::runners {

LoadReport load_report(const ResperfResult& result) {
  LoadReport report;
  report.complete = result.report == ReportState::complete;
  report.sent = result.sent;
  report.completed = result.completed;
  report.lost = result.lost;
  if (report.complete) report.interrupted = 0;
  for (const auto& [name, count] : result.rcodes.value_or(RcodeCounts())) report.rcodes[name] += count;
  report.runtime_s = result.runtime_s;
  report.qps = result.max_qps;
  if (result.end == ResperfEnd::fell_behind)
    report.own_limit = fmt::format("it fell behind by {} queries when it was to send {} a second", result.fell_behind_queries.value_or(0),
                                   result.fell_behind_qps.value_or(0));
  report.version = result.banner.version.value_or("");
  report.errors = result.messages.errors;
  if (result.messages.usage_printed)
    report.errors.push_back(result.messages.usage_error ? "usage: " + *result.messages.usage_error : "usage");
  report.warnings = result.messages.warnings;
  return report;
}

}  // namespace netsettle::runners
