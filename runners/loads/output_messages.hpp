#pragma once
// What dnsperf and resperf say beside their results: warnings, errors, the usage text. Both streams have the same lines.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netsettle::runners {

struct OutputMessages {
  std::map<std::string, std::int64_t> warnings;  // by kind: input_line send_failed congested short_response unexpected_id adjusted other
  std::vector<std::string> errors;               // texts of "Error: …" lines, the first 100
  std::int64_t more_errors = 0;                  // further ones
  bool usage_printed = false;
  std::optional<std::string> usage_error;  // the line before the usage text

  void add(const OutputMessages& other);
};

class MessageReader {
 public:
  /// True where the line is a warning, an error or the usage text, and counted.
  bool line(std::string_view text);
  /// A line of another kind that cannot be what a usage error says.
  void forget() { previous_.clear(); }

  OutputMessages messages;

 private:
  void warning(std::string_view text);

  std::string previous_;  // the line before, where it was no message: what a usage error says
};

}  // namespace netsettle::runners
