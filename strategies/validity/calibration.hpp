#pragma once
// Whether a load is heavy enough: the rate at several loads, measured in interleaved blocks, and what that says of the load in the file.

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace netsettle::strategies {

/// One load that was tried. `rates[b]` is the rate in block b; absent where that trial did not measure.
struct LoadLevel {
  std::string name;   // "outstanding=500, instances=1"
  double window = 0;  // queries under way, all instances
  int instances = 1;
  bool is_file = false;  // the load of the experiment file
  std::vector<std::optional<double>> rates;
  int window_limited = 0;  // trials in which lost queries held the window: their rate is not the load's either
};

/// A level against the file's load: 95 % interval of the relative difference over the blocks that have both.
struct LevelResult {
  std::string name;
  double mean = 0;
  int n = 0;
  std::optional<double> effect, low, high;
};

enum class LoadFit {
  enough,       // no heavier load gave more answers
  too_light,    // a heavier load gave more: the file's load is the limit
  cannot_tell,  // too few trials or too much noise to say either
};

struct Calibration {
  LoadFit fit = LoadFit::cannot_tell;
  std::vector<LevelResult> levels;    // in the order they were given
  std::optional<std::string> advice;  // the level to write into the file, where another is better
  std::optional<double> knee_window;  // queries under way of the lightest load that is not shown to give less than the file's
  std::optional<double> headroom;     // window of the file's load over the knee's
  double provable = 0;                // relative difference that these blocks could show; 0 where unknown
  std::string sentence;
};

/// `least_effect`: a gain below it does not matter (relative). Levels are compared with the file's by paired log differences
/// (comparison.hpp); with k levels heavier than the file's the level of each is 1 - 0.05 / k (Bonferroni), so that a load that is heavy
/// enough is called too light in at most 5 % of calibrations.
Calibration calibrate(std::span<const LoadLevel> levels, double least_effect);

}  // namespace netsettle::strategies
