#pragma once
// Normal beliefs about a true mean, and what trials add to them.

namespace netsettle::strategies {

struct NormalBelief {
  double mean = 0;
  double standard_deviation = 1;  // > 0
};

/// The belief after seeing a mean with a standard error (both normal, conjugate): precisions add. A standard error that is not
/// positive adds nothing.
NormalBelief updated(const NormalBelief& prior, double observed_mean, double standard_error);

/// P(true mean > threshold).
double probability_above(const NormalBelief& belief, double threshold);

}  // namespace netsettle::strategies
