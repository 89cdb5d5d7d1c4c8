#pragma once
// A load generator: two pure functions. Starting it is the trial's job; parsing never needs a process.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle::runners {

/// What a command line needs beside the experiment.
struct LoadTarget {
  std::string address;  // numeric
  int port = 0;
  std::optional<int> first_source_port;  // -x; absent: the kernel's choice
  double seconds = 0;                    // the whole life: burst, warm-up, window and a margin of two intervals
  double interval_s = 0.2;               // of the series
  int instance = 0;                      // 0, 1, …
  std::string tsig_key;                  // text of load.tsig_key_file, "[algorithm:]name:secret"; empty: none
  std::string program_version;           // as the program says it; empty: unknown, taken as the newest that is known
};

class Load {
 public:
  virtual ~Load() = default;
  virtual std::string_view program() const = 0;  // "dnsperf"
  virtual std::string_view package() const = 0;  // Debian package that has it
  /// argv of one process. Failure: invalid_input where load.arguments contains an option that netsettle owns.
  virtual Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const = 0;
  /// Never fails: what is not there is absent, `complete` says whether the final block was whole.
  virtual LoadReport parse(std::string_view standard_output, std::string_view standard_error) const = 0;
};

/// Several processes of one load as one: counts and rates summed, the series over the common time. Complete only where all are.
LoadReport added_up(const std::vector<LoadReport>& reports);

/// The load section with load.* settings of a configuration put in ("load.clients" → "16"). invalid_input.
Expected<LoadSection> with_settings(LoadSection load, const std::map<std::string, std::string>& settings);

/// One explicit list. not_found for an unknown kind.
Expected<std::unique_ptr<Load>> make_load(std::string_view kind);

}  // namespace netsettle::runners
