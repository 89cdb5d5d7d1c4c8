#include "runners/loads/dnsperf_output.hpp"

#include <algorithm>
#include <utility>

#include "runners/loads/dnsperf_block.hpp"
#include "runners/loads/printed_number.hpp"
#include "runners/loads/whole_line.hpp"

namespace netsettle::runners {
namespace {

/// Of a [Timeout] line that was cut, the number may be cut too.
bool has_message_id(std::string_view text) { return is_digit(text.back()) && text.find(" timed out: msg id ") != std::string_view::npos; }

std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

/// "30.000000 seconds", "30.000000 seconds or 2 runs through file", "1 run through file".
void read_limits(DnsperfStatus& status, std::string_view text) {
  const std::size_t seconds = text.find(" seconds");
  if (seconds != std::string_view::npos) {
    status.stop_seconds = printed_number(text.substr(0, seconds));
    const auto rest = after(text.substr(seconds), " seconds or ");
    text = rest ? *rest : std::string_view();
  }
  if (text.find(" run") != std::string_view::npos) status.stop_runs = printed_count(text);
}

void read_status(DnsperfStatus& status, std::string_view text) {
  if (const auto line = after(text, "Command line: ")) status.command_line = *line;
  if (const auto time = after(text, "Started at: ")) status.started_at = trimmed(*time);
  if (const auto limits = after(text, "Stopping after ")) read_limits(status, *limits);
  if (const auto what = after(text, "Sending ")) {
    const std::size_t target = what->find(" (to ");
    status.unit = what->substr(0, target);
    if (target != std::string_view::npos && what->ends_with(')')) status.target = what->substr(target + 5, what->size() - target - 6);
  }
  if (const auto reason = after(text, "Testing complete ("); reason && reason->ends_with(')'))
    status.completion_reason = reason->substr(0, reason->size() - 1);
}

/// By a race in dnsperf the first count may be divided by the time since 1970, which gives about 0.
bool first_interval_is_bogus(const DnsperfResult& result) {
  const auto& intervals = result.intervals;
  if (intervals.empty() || intervals.front().qps >= 1) return false;
  if (const auto& block = intervals.front().block) return block->completed.value_or(0) > 0;
  if (intervals.size() == 1) return result.final.completed.value_or(0) > 0;
  return std::any_of(intervals.begin() + 1, intervals.end(), [](const DnsperfInterval& interval) { return interval.qps >= 1; });
}

bool has_all_values(const DnsperfBlock& block) {
  return block.latency_line_seen && block.sent && block.completed && block.lost && block.runtime_s && block.qps;
}

}  // namespace

void DnsperfOutput::feed(std::string_view piece) {
  lines_.feed(piece, [this](std::string_view text, LineEnd end) { line(text, end); });
}

DnsperfResult DnsperfOutput::finish() {
  lines_.finish([this](std::string_view text, LineEnd end) { line(text, end); });
  end_interval();
  if (result_.report == ReportState::partial && has_all_values(result_.final)) result_.report = ReportState::complete;
  result_.first_interval_bogus = first_interval_is_bogus(result_);
  result_.messages = std::move(messages_.messages);
  return std::move(result_);
}

void DnsperfOutput::line(std::string_view text, LineEnd end) {
  if (bracket_line(text, end) || answer_line(text, end)) {
    messages_.forget();
    return;
  }
  if (messages_.line(text)) return;
  if (end == LineEnd::missing && !is_whole(text)) return;
  if (result_.banner.line(text)) {
    messages_.forget();
    return;
  }
  if (section_line(text) || plain_interval_line(text)) return;
  if (section_ != Section::none && text.starts_with("  ")) statistics_line(text);
}

bool DnsperfOutput::bracket_line(std::string_view text, LineEnd end) {
  if (!text.starts_with('[')) return false;
  if (text.starts_with("[Timeout] ") && (end == LineEnd::seen || has_message_id(text))) ++result_.timeout_lines;
  if (const auto status = after(text, "[Status] "); status && (end == LineEnd::seen || is_whole(text)))
    read_status(result_.status, *status);
  return true;
}

/// -v: a line for each answer ("> NOERROR name A 0.000166"), each loss ("> T name A") and each interrupted query ("> I name A").
bool DnsperfOutput::answer_line(std::string_view text, LineEnd end) {
  const auto what = after(text, "> ");
  if (!what) return false;
  if (end == LineEnd::missing && !is_whole(text)) return true;
  if (what->starts_with("T "))
    ++result_.verbose_timeouts;
  else if (what->starts_with("I "))
    ++result_.verbose_interrupted;
  else
    ++result_.verbose_answers;
  return true;
}

bool DnsperfOutput::section_line(std::string_view text) {
  if (text == "Statistics:")
    begin_final();
  else if (text == "Interval Statistics:")
    begin_interval();
  else if (text == "Connection Statistics:")
    section_ = Section::connection;  // its latency lines look like those of the queries
  else if (text.ends_with(" Statistics:") || text.ends_with(" statistics:"))
    section_ = Section::other;
  else
    return false;
  if (section_ == Section::connection && !block().connection) block().connection.emplace();
  return true;
}

void DnsperfOutput::begin_final() {
  end_interval();
  section_ = Section::queries;
  result_.final = DnsperfBlock();
  result_.report = ReportState::partial;
}

void DnsperfOutput::begin_interval() {
  end_interval();
  section_ = Section::queries;
  in_interval_ = true;
  interval_ = DnsperfBlock();
  timeouts_at_block_ = result_.timeout_lines;
}

/// The block of an interval counts once its time and rate are known.
void DnsperfOutput::end_interval() {
  if (!in_interval_) return;
  in_interval_ = false;
  if (!interval_.runtime_s || !interval_.qps) return;
  const double time_s = *interval_.runtime_s, qps = *interval_.qps;
  const std::int64_t timeouts = std::max(timeouts_at_block_, timeouts_counted_);  // a plain line within the block has counted them
  result_.intervals.push_back({time_s, qps, timeouts - timeouts_counted_, std::move(interval_)});
  timeouts_counted_ = timeouts;
}

bool DnsperfOutput::plain_interval_line(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return false;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return false;
  const auto time_s = printed_number(text.substr(0, colon));
  const auto qps = printed_number(text.substr(colon + 2));
  if (!time_s || !qps) return true;
  result_.intervals.push_back({*time_s, *qps, result_.timeout_lines - timeouts_counted_, std::nullopt});
  timeouts_counted_ = result_.timeout_lines;
  return true;
}

void DnsperfOutput::statistics_line(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  std::string_view key = trimmed(text.substr(0, colon));
  for (const std::string_view unit : {"Queries ", "Updates "})
    if (key.starts_with(unit)) key.remove_prefix(unit.size());
  const std::string_view value = trimmed(text.substr(colon + 1));
  const bool of_connections = section_ == Section::connection;
  auto& histogram = of_connections ? block().connection_histogram : block().answer_histogram;
  if (key == "Latency bucket (s)") histogram.emplace();
  if (is_digit(key.empty() ? ' ' : key.front())) return read_bucket(histogram, key, value);
  if (section_ == Section::queries) read_block_value(block(), key, value);
  if (of_connections) read_connection_value(*block().connection, key, value);
}

DnsperfResult with_messages(DnsperfResult output, const DnsperfResult& other) {
  output.timeout_lines += other.timeout_lines;
  output.verbose_answers += other.verbose_answers;
  output.verbose_timeouts += other.verbose_timeouts;
  output.verbose_interrupted += other.verbose_interrupted;
  output.messages.add(other.messages);
  if (!output.banner.version) output.banner = other.banner;
  return output;
}

DnsperfResult read_dnsperf(std::string_view standard_output, std::string_view standard_error) {
  DnsperfOutput output, errors;
  output.feed(standard_output);
  errors.feed(standard_error);
  return with_messages(output.finish(), errors.finish());
}

}  // namespace netsettle::runners
