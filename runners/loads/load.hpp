#pragma once
// A load generator: pure functions from the experiment to a command line, and from its output to a report. Starting it is the trial's job;
// parsing never needs a process.

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
  std::optional<int> first_source_port;  // absent: the kernel's choice
  double seconds = 0;                    // the whole life: burst, warm-up, window and a margin of two intervals
  double interval_s = 0.2;               // of the series
  int instance = 0;                      // 0, 1, … of load.instances
  std::string program_version = {};      // as the program says it; empty: unknown, the newest is assumed
  std::string tsig_key = {};             // the content of load.tsig_key_file: "algorithm:name:secret". Whoever records a command line or an
                                         // output writes "<key>" in its place: generators print their command line
};

class Load {
 public:
  virtual ~Load() = default;
  virtual std::string_view program() const = 0;           // "dnsperf"
  virtual std::string_view package() const = 0;           // Debian package that has it; empty for a program of the user
  virtual std::string_view version_argument() const = 0;  // makes it print its version; empty where none is known
  /// Its threads choose their own CPUs.
  virtual bool pins_itself() const { return false; }
  /// Whether the section fits this generator: its rate, key and arguments. invalid_input names the key of the experiment file.
  virtual Expected<void> check(const LoadSection& load) const = 0;
  /// argv of one process of load.instances. Failure: that of check(), or what this version of the program lacks.
  virtual Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const = 0;
  /// Never fails: what is not there is absent, `complete` says whether the final report was whole.
  virtual LoadReport parse(std::string_view standard_output, std::string_view standard_error) const = 0;
};

/// The load section with load.* settings of a configuration put in ("load.clients" → "16"). invalid_input.
Expected<LoadSection> with_settings(LoadSection load, const std::map<std::string, std::string>& settings);

/// One explicit list: dnsperf, resperf, kxdpgun, command. not_found for an unknown kind.
Expected<std::unique_ptr<Load>> make_load(const LoadSection& load);
/// For the kinds that need no more than their name.
Expected<std::unique_ptr<Load>> make_load(std::string_view kind);

/// Several instances that ran at the same time as one: counts, rates and messages summed, latencies weighted by answers. A count that one
/// of them lacks is absent. The series is summed over the time in which all of them have one, on the intervals of the first; a first
/// interval that is bogus is left out.
LoadReport added_up(const std::vector<LoadReport>& reports);

}  // namespace netsettle::runners
