#pragma once
// What the model expects where one parameter of a configuration is changed and the others stay.

#include <string>
#include <vector>

#include "datasets/model/search_space.hpp"
#include "strategies/importance/effect_model.hpp"

namespace netsettle::strategies {

struct CurvePoint {
  Value value;
  bool is_centre = false;        // the value that the configuration has
  NormalBelief versus_baseline;  // of ln(configuration with this value / baseline)
  NormalBelief versus_centre;    // of ln(configuration with this value / configuration)
};

struct Curve {
  std::string parameter;
  std::vector<CurvePoint> points;  // numbers upwards; values that the constraints do not allow are left out
  NormalBelief range;              // ln(best point / worst point), by the means
  /// Whether the range lies above 0 by two standard deviations.
  bool is_visible = false;
  /// |ln(point / centre)| is below this everywhere, by two standard deviations.
  double bound = 0;
};

/// One curve for each parameter that is active in `centre` and may have another value there: every value of a parameter with few, else
/// nine over the range and the special ones.
std::vector<Curve> curves_through(const SearchSpace& space, const EffectModel& model, const Configuration& centre);

}  // namespace netsettle::strategies
