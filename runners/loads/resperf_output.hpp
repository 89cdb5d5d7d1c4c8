#pragma once
// Reads what resperf prints (2.0 to 2.14), by the same rules as dnsperf_output.hpp.

#include "runners/loads/output_lines.hpp"
#include "runners/loads/resperf_result.hpp"

namespace netsettle::runners {

class ResperfOutput {
 public:
  /// The next piece of one stream, cut anywhere.
  void feed(std::string_view piece);
  /// The result, once all pieces were fed; the object is used up.
  ResperfResult finish();

 private:
  void line(std::string_view text, LineEnd end);
  void status_line(std::string_view text);
  void statistics_line(std::string_view text);
  void value(std::string_view key, std::string_view value);

  ResperfResult result_;
  MessageReader messages_;
  OutputLines lines_;
  bool in_report_ = false;
};

/// The file of -P: a comment, then rows of numbers. Rows that are none are passed over.
ResperfPlot read_resperf_plot(std::string_view text);

}  // namespace netsettle::runners
