#pragma once
// What the names of old result files say about the configuration that was measured: "threads=4/rmem=8M.1.txt" → threads = 4, rmem = 8M.
// Pure: names only, no file is looked at.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle::tuner {

using Labels = std::map<std::string, std::string>;

/// A pattern for names in which {name} is the value of a parameter and {} anything: "{threads}/{rmem}-run{}.txt". It has to match the end
/// of the path, from a folder's border on.
class LabelPattern {
 public:
  /// invalid_input: no {name} in it, a name twice, a brace without its other.
  static Expected<LabelPattern> parse(std::string_view text);

  /// Nothing where `path` does not match.
  std::optional<Labels> match(std::string_view path) const;

 private:
  struct Piece {
    std::string literal;  // before the value
    std::optional<std::string> name;
    bool has_value = false;
  };
  std::optional<Labels> match_from(std::string_view path, std::size_t piece) const;

  std::vector<Piece> pieces_;  // the last one may be a literal only
};

/// Without a pattern: every "key=value" between '/', '_', ',' and '+' of the path. Folders without '=' are together the value of "folder".
/// The file's name gives values only where it has a '='; its ending (.txt, .log, .out, .dnsperf, .json) and after that a run number (".1",
/// "-run3", "_2") belong to no value.
Labels labels_in(std::string_view path);

}  // namespace netsettle::tuner
