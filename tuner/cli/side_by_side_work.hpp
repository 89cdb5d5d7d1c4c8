#pragma once
// What `compare` and `confirm` share: fresh interleaved blocks of some configurations, and what they say.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tuner/cli/own_work.hpp"
#include "tuner/report/side_by_side.hpp"

namespace netsettle::tuner {

struct SideBySideWork {
  OwnWork own;
  std::vector<std::int64_t> configurations;
  int blocks = 0;  // fixed before the first of their trials is run
  Pairs pairs = Pairs::all;
  double alpha = 0.025;  // one-sided, of each pair
  std::string (*conclusion)(const SideBySide&) = nullptr;
  std::string note;  // said after the conclusion; may be empty
  bool is_dry_run = false;
};

/// --blocks, or 6. Failure: invalid_input.
Expected<int> blocks_of_line(const CommandLine& line);

/// Runs the blocks, or says which would be run (after the same refusals), and prints what they say. Interrupted: what is complete is
/// reported, without a conclusion. The exit code.
int run_side_by_side(const SideBySideWork& work);

/// Prints text, or the JSON document; `conclusion` may be empty (null).
void print_side_by_side(const OwnWork& own, const SideBySide& compared, const std::string& conclusion, nlohmann::ordered_json json);

}  // namespace netsettle::tuner
