#include "runners/loads/resperf_output.hpp"

#include <algorithm>
#include <charconv>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/dnsperf_block.hpp"
#include "runners/loads/printed_number.hpp"
#include "runners/loads/whole_line.hpp"

namespace netsettle::runners {
namespace {

/// "1021 queries, ending …": also negative.
std::optional<std::int64_t> leading_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end == text.data() + text.size() || *end != ' ') return std::nullopt;
  return number;
}

std::optional<std::string_view> after(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + part.size());
}

/// "11668.000000 qps", "10.03%".
std::optional<double> number_with_unit(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  return printed_number(text.substr(0, text.size() - unit.size()));
}

bool has_all_values(const ResperfResult& result) {
  return result.sent && result.completed && result.lost && result.runtime_s && result.max_qps && result.lost_at_max_percent;
}

std::vector<double> row_of(std::string_view line) {
  std::vector<double> row;
  for (const std::string& word : words_of(line)) {
    const auto number = printed_number(word);
    if (!number) return {};
    row.push_back(*number);
  }
  return row;
}

}  // namespace

std::string_view to_text(ResperfEnd end) {
  switch (end) {
    case ResperfEnd::fell_behind:
      return "fell_behind";
    case ResperfEnd::outstanding:
      return "outstanding";
    case ResperfEnd::planned:
      break;
  }
  return "planned";
}

void ResperfOutput::feed(std::string_view piece) {
  lines_.feed(piece, [this](std::string_view text, LineEnd end) { line(text, end); });
}

ResperfResult ResperfOutput::finish() {
  lines_.finish([this](std::string_view text, LineEnd end) { line(text, end); });
  if (result_.report == ReportState::partial && has_all_values(result_)) result_.report = ReportState::complete;
  if (!result_.end && result_.testing_complete) result_.end = ResperfEnd::planned;
  result_.messages = std::move(messages_.messages);
  return std::move(result_);
}

void ResperfOutput::line(std::string_view text, LineEnd end) {
  if (text.starts_with('[')) {
    if (text.starts_with("[Status] ") && end == LineEnd::seen) status_line(text);
    messages_.forget();
    return;
  }
  if (messages_.line(text)) return;
  if (end == LineEnd::missing && !text.ends_with('%') && !text.ends_with(" qps") && !is_whole(text)) return;
  if (result_.banner.line(text)) return messages_.forget();
  if (text == "Statistics:") {
    in_report_ = true;
    result_.report = ReportState::partial;
  } else if (in_report_ && text.starts_with("  ")) {
    statistics_line(text);
  }
}

void ResperfOutput::status_line(std::string_view text) {
  text.remove_prefix(std::string_view("[Status] ").size());
  if (text.starts_with("Command line: ")) result_.command_line = *after(text, ": ");
  if (text.starts_with("Ramp-up done")) result_.constant_phase_line = true;
  if (text.starts_with("Testing complete")) result_.testing_complete = true;
  if (text.starts_with("Fell behind by ")) {
    result_.end = ResperfEnd::fell_behind;
    result_.fell_behind_queries = leading_integer(*after(text, " by "));
    if (const auto rate = after(text, "ending test at ")) result_.fell_behind_qps = leading_integer(*rate);
  }
  if (text.starts_with("Reached ") && text.ends_with(" outstanding queries")) {
    result_.end = ResperfEnd::outstanding;
    result_.outstanding_limit = leading_integer(*after(text, "Reached "));
  }
}

void ResperfOutput::statistics_line(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) value(trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1)));
}

void ResperfOutput::value(std::string_view key, std::string_view value) {
  if (key == "Queries sent") result_.sent = printed_count(value);
  if (key == "Queries completed") result_.completed = printed_count(value);
  if (key == "Queries lost") result_.lost = printed_count(value);
  if (key == "Response codes") result_.rcodes = response_codes(value);
  if (key == "Reconnection(s)") result_.reconnections = printed_count(value);
  if (key == "Run time (s)") result_.runtime_s = printed_number(value);
  if (key == "Maximum throughput") result_.max_qps = number_with_unit(value, " qps");
  if (key == "Lost at that point") result_.lost_at_max_percent = number_with_unit(value, "%");
  if (key == "Connection attempts") {
    result_.connection_attempts = printed_count(value);
    if (const auto successful = after(value, "(")) result_.connections_successful = leading_integer(*successful);
  }
}

ResperfPlot read_resperf_plot(std::string_view text) {
  ResperfPlot plot;
  OutputLines lines;
  const auto take = [&plot](std::string_view line, LineEnd end) {
    if (line.starts_with('#') || (end == LineEnd::missing && !is_whole(line))) return;
    std::vector<double> row = row_of(line);
    if (row.empty()) return;
    constexpr std::size_t kResponses = 3, kFailures = 4;  // time target_qps actual_qps responses_per_sec failures_per_sec …
    if (row.size() > kResponses) plot.max_responses_per_s = std::max(plot.max_responses_per_s.value_or(row[kResponses]), row[kResponses]);
    if (row.size() > kFailures) plot.max_failures_per_s = std::max(plot.max_failures_per_s.value_or(row[kFailures]), row[kFailures]);
    ++plot.rows;
    plot.columns = static_cast<std::int64_t>(row.size());
    plot.last_row = std::move(row);
  };
  lines.feed(text, take);
  lines.finish(take);
  return plot;
}

ResperfResult read_resperf(std::string_view standard_output, std::string_view standard_error, std::optional<std::string_view> plot) {
  ResperfOutput output, errors;
  output.feed(standard_output);
  errors.feed(standard_error);
  ResperfResult result = output.finish();
  const ResperfResult other = errors.finish();
  result.messages.add(other.messages);
  if (!result.banner.version) result.banner = other.banner;
  if (plot) result.plot = read_resperf_plot(*plot);
  return result;
}

}  // namespace netsettle::runners
