#pragma once
// Whether a simpler configuration is as good as the best one, up to a difference that does not matter.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct NonInferiority {
  int n = 0;          // blocks
  double effect = 0;  // relative: exp(mean difference) - 1
  double low = 0;     // one-sided lower bound at level 1 - alpha, relative
  double margin = 0;  // delta
  double p = 1;       // how often a configuration that is worse by delta would look at least this good
  bool holds = false;
};

/// `log_differences`: ln(simpler / best), one for each fresh block. It holds where the lower bound of ln(simpler / best) is above ln(1 -
/// delta): one half of two one-sided tests (Schuirmann 1987), the half that parsimony needs. Simplifications tried in an order fixed
/// beforehand need no correction if the first that fails ends it. Absent below two blocks or where delta is outside 0..1.
std::optional<NonInferiority> non_inferiority(std::span<const double> log_differences, double delta, double alpha = 0.05);

}  // namespace netsettle::strategies
