#pragma once
// Reads what dnsperf prints (2.0 to 2.14), line by line and in any pieces. Memory is bounded by the number of intervals, not by the flood
// of [Timeout] lines that may come between them. Values are taken as printed: with no answer at all dnsperf prints latencies of 0.
//
// Only lines that begin as dnsperf begins them count, in the section they belong to: a query name in a warning cannot pose as a result.
// A last line without its line end may have been cut anywhere, and counts only where its form shows that it is whole.

#include <string_view>

#include "runners/loads/dnsperf_result.hpp"
#include "runners/loads/output_lines.hpp"

namespace netsettle::runners {

/// One stream of output. Standard output and standard error each have their own reader; they may also come merged in one.
class DnsperfOutput {
 public:
  /// The next piece, cut anywhere.
  void feed(std::string_view piece);
  /// The result, once all pieces were fed; the object is used up.
  DnsperfResult finish();

 private:
  enum class Section { none, queries, connection, other };

  void line(std::string_view text, LineEnd end);
  bool bracket_line(std::string_view text, LineEnd end);
  bool answer_line(std::string_view text, LineEnd end);
  bool section_line(std::string_view text);
  bool plain_interval_line(std::string_view text);
  void begin_final();
  void begin_interval();
  void end_interval();
  void statistics_line(std::string_view text);
  DnsperfBlock& block() { return in_interval_ ? interval_ : result_.final; }

  DnsperfResult result_;
  MessageReader messages_;
  OutputLines lines_;
  Section section_ = Section::none;
  bool in_interval_ = false;            // the block being read is that of an interval
  DnsperfBlock interval_;               // while it is read
  std::int64_t timeouts_counted_ = 0;   // [Timeout] lines that belong to earlier intervals
  std::int64_t timeouts_at_block_ = 0;  // before the interval block being read
};

/// Both streams of one run as the report of a trial.
LoadReport parse_dnsperf(std::string_view standard_output, std::string_view standard_error);

}  // namespace netsettle::runners
