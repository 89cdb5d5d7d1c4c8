#include "runners/loads/dnsperf_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runners/loads/printed_number.hpp"

namespace netsettle::runners {
namespace {

constexpr std::size_t kLongestLine = 4096;  // a line of results is below 600 bytes; what is longer is somebody's query file
constexpr std::size_t kMostErrors = 100;

struct WarningKind {
  std::string_view prefix, kind;
};
constexpr std::array kWarningKinds = {
    WarningKind{"invalid query input format", "input_line"},
    WarningKind{"invalid domain name", "input_line"},
    WarningKind{"invalid qtype", "input_line"},
    WarningKind{"invalid query type", "input_line"},
    WarningKind{"failed to send packet", "send_failed"},
    WarningKind{"network congested", "congested"},
    WarningKind{"received short response", "short_response"},
    WarningKind{"received a response with an unexpected", "unexpected_id"},
    WarningKind{"requested ", "adjusted"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True where a line without its end shows by its form that nothing is missing: "… (0.10%)" or six decimals. A list of response codes
/// could go on.
bool is_whole(std::string_view text) {
  if (text.starts_with("  Response codes:")) return false;
  if (text.ends_with(')')) return true;
  constexpr std::size_t kDecimals = 6;
  return text.size() > kDecimals && text[text.size() - kDecimals - 1] == '.' && std::all_of(text.end() - kDecimals, text.end(), is_digit);
}

/// "NOERROR 16099 (99.84%), SERVFAIL 3 (0.02%)"; empty where nothing was answered.
std::map<std::string, std::int64_t> response_codes(std::string_view value) {
  std::map<std::string, std::int64_t> counts;
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    const std::string_view item = trimmed(value.substr(0, comma));
    const std::size_t space = std::min(item.find(' '), item.size());
    if (const auto count = printed_count(trimmed(item.substr(space)))) counts[std::string(item.substr(0, space))] = *count;
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return counts;
}

/// The text between `before` and `after`; empty where one of them is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

}  // namespace

void DnsperfOutput::keep(std::string_view part) {
  // One byte more than is used shows that the line was too long.
  pending_.append(part.substr(0, kLongestLine + 1 - std::min(pending_.size(), kLongestLine + 1)));
}

void DnsperfOutput::feed(std::string_view piece) {
  for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    if (pending_.empty()) {
      line(piece.substr(0, end), LineEnd::seen);
    } else {
      keep(piece.substr(0, end));
      line(pending_, LineEnd::seen);
      pending_.clear();
    }
    piece.remove_prefix(end + 1);
  }
  keep(piece);
}

LoadReport DnsperfOutput::finish() {
  if (!pending_.empty()) line(pending_, LineEnd::missing);
  report_.complete = latency_line_seen_ && report_.sent && report_.completed && report_.lost && report_.runtime_s && report_.qps;
  report_.first_interval_bogus = first_interval_is_bogus();
  return std::move(report_);
}

void DnsperfOutput::line(std::string_view text, LineEnd end) {
  if (text.size() > kLongestLine) {
    text = text.substr(0, kLongestLine);
    end = LineEnd::missing;
  }
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (message_line(text)) {
    previous_.clear();
    return;
  }
  previous_ = text;
  if (end == LineEnd::missing && !is_whole(text)) return;
  if (banner_line(text) || section_line(text) || plain_interval_line(text)) return;
  if (section_ != Section::none && text.starts_with("  ")) statistics_line(text);
}

bool DnsperfOutput::message_line(std::string_view text) {
  constexpr std::string_view kWarning = "Warning: ", kError = "Error: ", kLowerError = "error: ";
  if (text.starts_with('[')) {
    if (text.starts_with("[Timeout] ")) ++report_.timeout_lines;
    return true;
  }
  if (text.starts_with("> ")) return true;  // -v: a line for each answer
  if (text.starts_with(kWarning)) {
    warning_line(text.substr(kWarning.size()));
    return true;
  }
  if (text.starts_with(kError) || text.starts_with(kLowerError)) {
    add_error(std::string(text.substr(kError.size())));
    return true;
  }
  if (text.starts_with("Usage: ")) {
    usage_line();
    return true;
  }
  return false;
}

void DnsperfOutput::usage_line() { add_error(previous_.empty() ? "usage" : "usage: " + previous_); }

void DnsperfOutput::warning_line(std::string_view warning) {
  const auto kind = std::ranges::find_if(kWarningKinds, [&](const WarningKind& known) { return warning.starts_with(known.prefix); });
  ++report_.warnings[std::string(kind == kWarningKinds.end() ? "other" : kind->kind)];
}

void DnsperfOutput::add_error(std::string text) {
  if (report_.errors.size() < kMostErrors) report_.errors.push_back(std::move(text));
}

bool DnsperfOutput::banner_line(std::string_view text) {
  for (const std::string_view prefix : {"Version ", "Nominum Version "}) {
    if (!text.starts_with(prefix)) continue;
    if (report_.version.empty()) report_.version = text.substr(prefix.size());
    previous_.clear();
    return true;
  }
  return false;
}

bool DnsperfOutput::section_line(std::string_view text) {
  if (text == "Statistics:") {
    begin_final();
  } else if (text == "Interval Statistics:") {
    section_ = Section::interval;
    run_time_s_.reset();
    answers_in_interval_.reset();
  } else if (text.ends_with(" Statistics:") || text.ends_with(" statistics:")) {
    section_ = Section::connection;  // its latency lines look like those of the queries
  } else {
    return false;
  }
  return true;
}

void DnsperfOutput::begin_final() {
  section_ = Section::final;
  latency_line_seen_ = false;
  LoadReport fresh;
  fresh.intervals = std::move(report_.intervals);
  fresh.version = std::move(report_.version);
  fresh.timeout_lines = report_.timeout_lines;
  fresh.errors = std::move(report_.errors);
  fresh.warnings = std::move(report_.warnings);
  report_ = std::move(fresh);
}

bool DnsperfOutput::plain_interval_line(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return false;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return false;
  const auto time_s = printed_number(text.substr(0, colon));
  const auto qps = printed_number(text.substr(colon + 2));
  if (time_s && qps) report_.intervals.push_back({*time_s, *qps});
  return true;
}

void DnsperfOutput::statistics_line(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  std::string_view key = trimmed(text.substr(0, colon));
  for (const std::string_view unit : {"Queries ", "Updates "})
    if (key.starts_with(unit)) key.remove_prefix(unit.size());
  const std::string_view value = trimmed(text.substr(colon + 1));
  if (section_ == Section::final) final_value(key, value);
  if (section_ == Section::interval) interval_value(key, value);
}

void DnsperfOutput::final_value(std::string_view key, std::string_view value) {
  if (key == "sent") report_.sent = printed_count(value);
  if (key == "completed") report_.completed = printed_count(value);
  if (key == "lost") report_.lost = printed_count(value);
  if (key == "interrupted") report_.interrupted = printed_count(value);
  if (key == "Response codes") {
    report_.rcodes = response_codes(value);
    if (!report_.interrupted) report_.interrupted = 0;  // its line would have come before this one
  }
  if (key == "Run time (s)") report_.runtime_s = printed_number(value);
  if (key == "per second") report_.qps = printed_number(value);
  if (key == "Average Latency (s)") final_latency(value);
  if (key == "Latency StdDev (s)") report_.latency_stddev_s = printed_number(value);
}

void DnsperfOutput::final_latency(std::string_view value) {
  if (!value.ends_with(')')) return;
  report_.latency_avg_s = printed_number(value.substr(0, value.find(' ')));
  report_.latency_min_s = printed_number(between(value, "(min ", ","));
  report_.latency_max_s = printed_number(between(value, ", max ", ")"));
  latency_line_seen_ = true;
}

void DnsperfOutput::interval_value(std::string_view key, std::string_view value) {
  if (key == "completed") answers_in_interval_ = printed_count(value);
  if (key == "Run time (s)") run_time_s_ = printed_number(value);
  if (key != "per second" || !run_time_s_) return;
  const auto qps = printed_number(value);
  if (!qps) return;
  if (report_.intervals.empty()) answers_in_first_ = answers_in_interval_;
  report_.intervals.push_back({*run_time_s_, *qps});
}

/// By a race in dnsperf the first count may be divided by the time since 1970, which gives about 0.
bool DnsperfOutput::first_interval_is_bogus() const {
  const auto& intervals = report_.intervals;
  if (intervals.empty() || intervals.front().qps >= 1) return false;
  if (answers_in_first_) return *answers_in_first_ > 0;
  if (intervals.size() == 1) return report_.completed.value_or(0) > 0;
  return std::any_of(intervals.begin() + 1, intervals.end(), [](const Interval& interval) { return interval.qps >= 1; });
}

LoadReport parse_dnsperf(std::string_view standard_output, std::string_view standard_error) {
  DnsperfOutput output, errors;
  output.feed(standard_output);
  errors.feed(standard_error);
  LoadReport report = output.finish();
  const LoadReport other = errors.finish();
  report.timeout_lines += other.timeout_lines;
  for (const auto& [kind, count] : other.warnings) report.warnings[kind] += count;
  report.errors.insert(report.errors.end(), other.errors.begin(), other.errors.end());
  if (report.version.empty()) report.version = other.version;
  return report;
}

}  // namespace netsettle::runners
