#pragma once
// The few numbers that say how f bends, how the machine drifts and how noisy it is: maximum a posteriori by L-BFGS (NLopt).

#include <Eigen/Core>
#include <vector>

namespace netsettle::strategies {

struct Observations;

/// Trials after which the machine's state is forgotten to 1/e.
inline constexpr double kDriftTime = 40;

/// Of values that were standardised; all natural logarithms, of standard deviations and lengths.
struct HyperParameters {
  Eigen::VectorXd log_lengths;  // one a parameter
  double log_signal = 0, log_main = 0, log_noise = 0, log_drift = 0;

  Eigen::VectorXd vector() const;
  static HyperParameters from(const Eigen::VectorXd& vector);
  /// The middle of the priors.
  static HyperParameters prior(std::size_t parameter_count);
};

/// Maximum a posteriori under independent normal priors of the logarithms (statistics.md 7.2), from the middle of the priors, at most 30
/// evaluations. `parameters`: of each coordinate, its length scale's place. Cost: 30 times the cube of the number of observations.
HyperParameters fit(const Observations& observations, const std::vector<std::size_t>& parameters);

}  // namespace netsettle::strategies
