#pragma once
// load.arguments: what a user may pass on to a load generator, and what not.

#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

/// One option letter of a program.
struct LoadOption {
  char letter;
  enum Kind { flag, value, owned_flag, owned_value, owned_optional, help } kind;
  std::string_view key = "";    // owned: the key of the experiment file to use instead; empty: netsettle decides
  std::string_view since = "";  // the first version that has it; empty: all
};

struct LoadProgram {
  std::string_view name;
  std::vector<LoadOption> options;
};

const LoadProgram& dnsperf_program();
const LoadProgram& resperf_program();
const LoadProgram& kxdpgun_program();

/// Refuses what netsettle sets itself, what only prints help, and what the program would refuse; options may be written apart ("-b", "64"),
/// attached ("-b64") or grouped ("-eD"). With a version, also what that version lacks. invalid_input names the argument.
Expected<void> check_load_arguments(const LoadProgram& program, const std::vector<std::string>& arguments, std::string_view version = "");

/// Whether a version has what exists since another: "2.10.0" has "2.7". A version that is unknown has everything. Texts around the number
/// ("Version 2.10.0", "kxdpgun (Knot DNS), version 3.2.6") do not matter.
bool has_feature(std::string_view version, std::string_view since);

/// Seconds without exponent and without trailing zeros: "0.2", "33".
std::string seconds_text(double seconds);

}  // namespace netsettle::runners
