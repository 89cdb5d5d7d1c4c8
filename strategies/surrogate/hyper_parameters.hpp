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
  Eigen::VectorXd noise_effects;  // of the columns of the basis, added to log_noise; empty: all are 0

  /// Of rows of basis, the noise's variance over exp(2 log_noise): between 1/50 and 50.
  Eigen::VectorXd noise_factors(const Eigen::MatrixXd& basis) const;
  Eigen::VectorXd vector() const;
  static HyperParameters from(const Eigen::VectorXd& vector, std::size_t parameter_count);
  /// The middle of the priors.
  static HyperParameters prior(std::size_t parameter_count);
};

/// Maximum a posteriori under independent normal priors of the logarithms (statistics.md 7.2), at most 20 evaluations from the middle of
/// the priors. `parameters`: of each coordinate, its length scale's place. Cost: 20 times the cube of the number of observations.
HyperParameters fit(const Observations& observations, const std::vector<std::size_t>& parameters);

/// The same where some levels may make a server restless instead of slow (a hash that puts flows on a busy core in every second trial):
/// their effects on the noise are learnt from what the fit leaves (ridge regression of the logarithms of its leave-one-out residuals on
/// `level_columns` of the basis), and the rest is fitted again from there. Weights that the observations have are not used.
HyperParameters fit_with_noise(Observations observations, const std::vector<std::size_t>& parameters,
                               const std::vector<Eigen::Index>& level_columns);

}  // namespace netsettle::strategies
