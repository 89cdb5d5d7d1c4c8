#pragma once
// Reads what dnsperf prints (2.0 to 2.14), line by line and in any pieces. Memory is bounded by the number of intervals, not by the flood
// of [Timeout] lines that may come between them. Values are taken as printed: with no answer at all dnsperf prints latencies of 0.
//
// Only lines that begin as dnsperf begins them count, in the section they belong to: a query name in a warning cannot pose as a result.
// A last line without its line end may have been cut anywhere, and counts only where its form shows that it is whole.

#include <string>
#include <string_view>

#include "datasets/model/trial.hpp"

namespace netsettle::runners {

/// One stream of output. Standard output and standard error each have their own reader; they may also come merged in one.
class DnsperfOutput {
 public:
  /// The next piece, cut anywhere.
  void feed(std::string_view piece);
  /// The report, once all pieces were fed; the object is used up.
  LoadReport finish();

 private:
  enum class Section { none, interval, final, connection };
  enum class LineEnd { seen, missing };

  void keep(std::string_view part);
  void line(std::string_view text, LineEnd end);
  bool message_line(std::string_view text);
  void usage_line();
  void warning_line(std::string_view warning);
  void add_error(std::string text);
  bool banner_line(std::string_view text);
  bool section_line(std::string_view text);
  bool plain_interval_line(std::string_view text);
  void begin_final();
  void statistics_line(std::string_view text);
  void final_value(std::string_view key, std::string_view value);
  void final_latency(std::string_view value);
  void interval_value(std::string_view key, std::string_view value);
  bool first_interval_is_bogus() const;

  LoadReport report_;
  Section section_ = Section::none;
  bool latency_line_seen_ = false;                   // of the final block
  std::string pending_;                              // the begin of a line whose end has not come yet
  std::string previous_;                             // the line before, where it was no message: what a usage error says
  std::optional<double> run_time_s_;                 // of the interval block being read
  std::optional<std::int64_t> answers_in_interval_;  // of the interval block being read
  std::optional<std::int64_t> answers_in_first_;     // of the first interval block
};

/// Both streams of one run as one report: messages count from both, results from standard output.
LoadReport parse_dnsperf(std::string_view standard_output, std::string_view standard_error);

}  // namespace netsettle::runners
