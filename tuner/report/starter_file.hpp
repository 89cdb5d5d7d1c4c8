#pragma once
// A commented experiment file to begin with. Pure text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"
#include "tuner/report/starter_card.hpp"

namespace netsettle::tuner {

/// One setting of a sysctl.conf: "net.core.rmem_max = 16777216".
struct SysctlLine {
  int line = 0;
  std::string key;    // with dots
  std::string value;  // words joined by one blank
};

/// Comments, empty lines, a leading "-" and keys with slashes as sysctl.d(5) has them; a later line for a key replaces the earlier one.
/// invalid_input names the line that is none of it.
Expected<std::vector<SysctlLine>> parse_sysctl_conf(std::string_view text);

struct StarterFile {
  std::string name = "first";
  std::string queries;  // path of a query file, as the file is to name it
  int cpus = 1;
  std::optional<StarterCard> card;  // tune what is behind this interface, with a load on another machine
  std::vector<SysctlLine> beliefs;  // of a sysctl.conf: each becomes a parameter of its own
  std::string source;               // where the beliefs come from
};

/// An experiment file that `check` accepts. Without beliefs it tunes what matters on most machines; with them it asks which of the lines
/// matter. Lines that netsettle cannot change are comments with the reason.
std::string starter_file(const StarterFile& starter);

}  // namespace netsettle::tuner
