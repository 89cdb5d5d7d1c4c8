#include "runners/loads/kxdpgun_output.hpp"

#include <algorithm>

#include "runners/loads/output_lines.hpp"

namespace netsettle::runners {
namespace {

constexpr std::size_t kMostErrors = 100;
constexpr double kNanosecondsPerSecond = 1e9;

void read_errors(KxdpgunResult& result, std::string_view text) {
  OutputLines lines;
  const auto take = [&result](std::string_view line, LineEnd) {
    if (!line.starts_with("error: ")) return;
    if (result.errors.size() < kMostErrors)
      result.errors.emplace_back(line);
    else
      ++result.more_errors;
  };
  lines.feed(text, take);
  lines.finish(take);
}

/// By the first character of the first line that is no message.
std::optional<KxdpgunFormat> json_format(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line.starts_with("error: ") || line.starts_with("warning: ")) continue;
    if (line[first] == '[') return KxdpgunFormat::json_array;
    if (line[first] == '{') return KxdpgunFormat::json_lines;
    break;
  }
  return std::nullopt;
}

double interval_rate(const KxdpgunBlock& block) {
  const auto duration_s = duration_of(block);
  return duration_s && *duration_s > 0 ? static_cast<double>(block.replies.count.value_or(0)) / *duration_s : 0;
}

}  // namespace

std::string_view to_text(KxdpgunFormat format) {
  switch (format) {
    case KxdpgunFormat::json_lines:
      return "json-lines";
    case KxdpgunFormat::json_array:
      return "json-array";
    case KxdpgunFormat::text:
      break;
  }
  return "text";
}

KxdpgunResult read_kxdpgun(std::string_view standard_output, std::string_view standard_error) {
  KxdpgunResult result;
  read_errors(result, standard_output);
  read_errors(result, standard_error);
  result.format = json_format(standard_output);
  if (result.format)
    read_kxdpgun_json(result, standard_output);
  else
    read_kxdpgun_text(result, standard_output);
  return result;
}

std::optional<std::int64_t> sent_of(const KxdpgunBlock& block) { return block.queries.count ? block.queries.count : block.syns.count; }

std::optional<double> duration_of(const KxdpgunBlock& block) {
  if (block.duration_s) return block.duration_s;
  if (block.since_s && block.until_s && *block.until_s >= *block.since_s) return *block.until_s - *block.since_s;
  if (block.since_ns && block.until_ns && *block.until_ns >= *block.since_ns)
    return static_cast<double>(*block.until_ns - *block.since_ns) / kNanosecondsPerSecond;
  return std::nullopt;
}

LoadReport load_report(const KxdpgunResult& result) {
  LoadReport report;
  report.version = result.header.generator_version.value_or("");
  report.errors = result.errors;
  report.complete = result.report == ReportState::complete && result.final->replies.count;
  if (!result.final) return report;
  const KxdpgunBlock& block = *result.final;
  report.sent = sent_of(block);
  report.completed = block.replies.count;
  if (report.sent && report.completed) report.lost = std::max<std::int64_t>(0, *report.sent - *report.completed);
  report.interrupted = 0;
  for (const auto& [name, answers] : block.rcodes) report.rcodes[name] += answers;
  report.runtime_s = report.end_time_s = duration_of(block);
  // Before 3.4 the duration is rounded down to seconds, the rate is not.
  if (block.whole_seconds && block.replies.per_second)
    report.qps = static_cast<double>(*block.replies.per_second);
  else if (report.completed && report.runtime_s.value_or(0) > 0)
    report.qps = static_cast<double>(*report.completed) / *report.runtime_s;
  for (const KxdpgunBlock& period : result.periodic) {
    if (period.until_s) report.intervals.push_back({*period.until_s, interval_rate(period), 0});
    if (period.until_ns && block.since_ns && *period.until_ns >= *block.since_ns)
      report.intervals.push_back(
          {static_cast<double>(*period.until_ns - *block.since_ns) / kNanosecondsPerSecond, interval_rate(period), 0});
  }
  return report;
}

}  // namespace netsettle::runners
