#pragma once
// Everything that one output of kxdpgun says: text (3.2 to 3.5), a JSON array (3.4, 3.5.0) or JSON lines (later 3.5).

#include "runners/loads/dnsperf_result.hpp"

namespace netsettle::runners {

enum class KxdpgunFormat { text, json_lines, json_array };
std::string_view to_text(KxdpgunFormat format);

struct KxdpgunHeader {
  std::optional<std::string> interface, transport, mode;
  std::optional<std::int64_t> threads, ip_version;
  std::optional<std::int64_t> schema_version;    // JSON
  std::optional<std::string> generator_version;  // JSON
  std::optional<double> stats_interval;          // JSON, seconds
};

struct KxdpgunThread {
  std::optional<std::int64_t> id, sent, received, lost, errors;
};

/// A rate as text has it: "6010 (3,002 pps) (100.099850 %)".
struct KxdpgunRate {
  std::optional<std::int64_t> count, per_second;
  std::optional<double> percent;
};

/// The statistics of a period or of the whole run.
struct KxdpgunBlock {
  KxdpgunRate queries, replies, syns, established, closed, reset;
  std::optional<std::int64_t> average_reply_bytes;
  RcodeCounts rcodes;
  std::optional<double> duration_s, since_s, until_s;  // text
  bool whole_seconds = false;                          // the duration is printed rounded down (before 3.4)
  std::optional<std::int64_t> since_ns, until_ns;      // JSON, since 1970
  std::optional<std::int64_t> socket_errors;           // JSON
};

struct KxdpgunResult {
  std::optional<KxdpgunFormat> format;  // absent where nothing was printed
  KxdpgunHeader header;
  std::vector<KxdpgunThread> threads;
  std::vector<KxdpgunBlock> periodic;
  std::optional<KxdpgunBlock> final;
  ReportState report = ReportState::none;
  std::vector<std::string> errors;  // "error: …" lines, whole, the first 100
  std::int64_t more_errors = 0;
};

/// Both streams of one run: errors count from both, results from standard output.
KxdpgunResult read_kxdpgun(std::string_view standard_output, std::string_view standard_error);

/// Queries, or connections where each query has its own.
std::optional<std::int64_t> sent_of(const KxdpgunBlock& block);
std::optional<double> duration_of(const KxdpgunBlock& block);

/// The part that a trial records. What is not answered counts as lost; latencies are not measured.
LoadReport load_report(const KxdpgunResult& result);

}  // namespace netsettle::runners
