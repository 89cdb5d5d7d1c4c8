#include "runners/loads/dnsperf_block.hpp"

#include <algorithm>

#include "runners/loads/printed_number.hpp"

namespace netsettle::runners {
namespace {

/// The text between `before` and `after`; empty where one of them is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

/// "0.001542 (min 0.000014, max 0.006000)"; in an interval only the mean.
void read_mean(PrintedLatency& latency, std::string_view value) {
  latency.avg_s = printed_number(value.substr(0, value.find(' ')));
  latency.min_s = printed_number(between(value, "(min ", ","));
  latency.max_s = printed_number(between(value, ", max ", ")"));
}

void read_deviation(PrintedLatency& latency, std::string_view value) {
  latency.stddev_s = printed_number(value);
  if (!latency.stddev_s) latency.stddev_text = value;
}

}  // namespace

RcodeCounts response_codes(std::string_view value) {
  RcodeCounts counts;
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    const std::string_view item = trimmed(value.substr(0, comma));
    const std::size_t space = std::min(item.find(' '), item.size());
    if (const auto count = printed_count(trimmed(item.substr(space)))) counts.emplace_back(item.substr(0, space), *count);
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return counts;
}

void read_block_value(DnsperfBlock& block, std::string_view key, std::string_view value) {
  if (key == "sent") block.sent = printed_count(value);
  if (key == "completed") block.completed = printed_count(value);
  if (key == "lost") block.lost = printed_count(value);
  if (key == "interrupted") block.interrupted = printed_count(value);
  if (key == "Response codes") {
    block.rcodes = response_codes(value);
    if (!block.interrupted) block.interrupted = 0;  // its line would have come before this one
  }
  if (key == "Average packet size") {
    block.request_bytes = printed_count(between(value, "request ", ","));
    const std::size_t response = value.find("response ");
    if (response != std::string_view::npos)
      block.response_bytes = printed_count(value.substr(response + std::string_view("response ").size()));
  }
  if (key == "Run time (s)") block.runtime_s = printed_number(value);
  if (key == "per second") block.qps = printed_number(value);
  if (key == "Latency StdDev (s)") read_deviation(block.latency, value);
  if (key == "Average Latency (s)") {
    read_mean(block.latency, value);
    block.latency_line_seen = value.ends_with(')');
  }
}

void read_connection_value(PrintedConnections& connection, std::string_view key, std::string_view value) {
  if (key == "Reconnections") {
    connection.reconnections = printed_count(value);
    connection.connections = printed_count(between(value, " of ", ")"));
  }
  if (key == "Connection attempts") {
    connection.attempts = printed_count(value);
    connection.successful = printed_count(between(value, "(", ","));
  }
  if (key == "Average Latency (s)") read_mean(connection.latency, value);
  if (key == "Latency StdDev (s)") read_deviation(connection.latency, value);
}

void read_bucket(std::optional<PrintedHistogram>& histogram, std::string_view range, std::string_view count) {
  const std::size_t dash = range.find(" - ");
  if (!histogram || dash == std::string_view::npos) return;
  const auto from_s = printed_number(range.substr(0, dash)), to_s = printed_number(range.substr(dash + 3));
  const auto answers = printed_count(count);
  constexpr std::int64_t kMostAnswers = 1LL << 60;  // no overflow of the sum
  if (!from_s || !to_s || !answers || *answers > kMostAnswers || histogram->total > kMostAnswers) return;
  histogram->last = HistogramBucket{*from_s, *to_s, *answers};
  if (!histogram->first) histogram->first = histogram->last;
  ++histogram->buckets;
  histogram->total += *answers;
}

}  // namespace netsettle::runners
