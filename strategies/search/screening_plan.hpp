#pragma once
// Which configurations a screening runs, and what they say about each parameter.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

enum class ScreeningDesign { plackett_burman, morris };

struct ScreeningRun {
  CubePoint point;
  Configuration configuration;
  int group = 0;  // runs to be compared with each other: a pair of mirror images, or a path
};

struct ScreeningPlan {
  ScreeningDesign design = ScreeningDesign::plackett_burman;
  std::vector<ScreeningRun> runs;  // by group
  int block_size = 0;              // configurations beside the baseline: whole groups
};

/// A folded Plackett-Burman plan at 20 and 80 % of each axis, where every parameter has two values or an order and nothing depends on
/// anything else (`when`, `require`); Morris paths elsewhere: as many as half of the search holds, 2 to 10. Depends on the experiment and
/// the space alone. nullopt where half of the search holds neither.
std::optional<ScreeningPlan> screening_plan(const StudyView& study);

/// Search trials that a screening of this space needs at least.
int least_screening_trials(const SearchSpace& space);

/// What a parameter does to the objective.
struct ScreenedEffect {
  std::string parameter;
  int n = 0;                 // comparisons behind it
  double estimate = 0;       // mean relative difference from a lower to an upper level (six or seven tenths of the axis)
  double low = 0, high = 0;  // 95 % interval of the estimate
  double strength = 0;       // mean size of the differences, whatever their sign (Morris's mu*; of a Plackett-Burman plan |estimate|)
  bool matters = false;      // worth searching over
};

/// One for each parameter, the strongest first, from the runs measured so far; empty where the study has no screening plan, or too few runs
/// to tell. A Plackett-Burman plan: least squares with an effect for each block. Morris: the elementary effects within blocks. At least
/// two parameters matter; others do where they are stronger than noise makes them once in about ten times.
std::vector<ScreenedEffect> screening_effects(const StudyView& study);

}  // namespace netsettle::strategies
