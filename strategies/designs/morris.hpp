#pragma once
// Morris's elementary effects: which parameters matter, also where they do not act in a straight line or only together.

#include <cstddef>
#include <optional>
#include <vector>

#include "strategies/designs/random.hpp"
#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

/// A step of 2/3 leads from each of the lower two levels to one of the upper two and back.
inline constexpr int kMorrisLevels = 4;

/// One random path through the cube (Morris 1991): a point on the grid of four levels (0, 1/3, 2/3, 1), and then each axis changed once by
/// 2/3, in random order. dimensions + 1 points.
std::vector<CubePoint> morris_trajectory(std::size_t dimensions, Random& random);

/// What a step along one axis did.
struct ElementaryEffect {
  std::size_t axis = 0;
  double value = 0;  // change of the result, per unit of the axis
};

/// The effects of a path whose points have these results. A step of which either result is missing, or that changes more than one
/// coordinate or none, has no effect.
std::vector<ElementaryEffect> elementary_effects(const std::vector<CubePoint>& path, const std::vector<std::optional<double>>& results);

/// Of one axis over all paths.
struct MorrisMeasures {
  int n = 0;
  double mean = 0;           // mu
  double mean_absolute = 0;  // mu* (Campolongo, Cariboni & Saltelli 2007)
  double spread = 0;         // sigma: standard deviation; 0 below two effects
};

/// One for each axis.
std::vector<MorrisMeasures> morris_measures(std::size_t dimensions, const std::vector<ElementaryEffect>& effects);

}  // namespace netsettle::strategies
