#pragma once
// Cuts a stream that arrives in any pieces into lines, in bounded memory.

#include <cstddef>
#include <string>
#include <string_view>

namespace netsettle::runners {

/// `missing`: the stream ended within the line, or the line was too long and only its begin was kept. It may have been cut anywhere.
enum class LineEnd { seen, missing };

class OutputLines {
 public:
  /// Calls take(line, end) for each line that ends in this piece, without its line end ("\n" or "\r\n").
  template <typename Take>
  void feed(std::string_view piece, Take&& take) {
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
      if (pending_.empty()) {
        give(piece.substr(0, end), LineEnd::seen, take);
      } else {
        keep(piece.substr(0, end));
        give(pending_, LineEnd::seen, take);
        pending_.clear();
      }
      piece.remove_prefix(end + 1);
    }
    keep(piece);
  }

  /// The last line, where the stream did not end with a line end.
  template <typename Take>
  void finish(Take&& take) {
    if (!pending_.empty()) give(pending_, LineEnd::missing, take);
    pending_.clear();
  }

 private:
  static constexpr std::size_t kLongestLine = 16384;  // a line of results is below 1,000 bytes; what is longer is somebody's query file

  // One byte more than is used shows that the line was too long.
  void keep(std::string_view part) { pending_.append(part.substr(0, kLongestLine + 1 - pending_.size())); }

  template <typename Take>
  static void give(std::string_view text, LineEnd end, Take&& take) {
    if (text.size() > kLongestLine) {
      text = text.substr(0, kLongestLine);
      end = LineEnd::missing;
    }
    if (text.ends_with('\r')) text.remove_suffix(1);
    take(text, end);
  }

  std::string pending_;  // the begin of a line whose end has not come yet
};

}  // namespace netsettle::runners
