#include "strategies/surrogate/path.hpp"

#include <cmath>
#include <numbers>

namespace netsettle::strategies {
namespace {

constexpr Eigen::Index kFeatures = 256;

/// A frequency of Matérn 5/2: its spectral density is a multivariate t distribution with 5 degrees of freedom.
void draw_frequency(Eigen::Ref<Eigen::VectorXf> frequency, Random& random) {
  double chi_squared = 0;
  for (int i = 0; i < 5; ++i) {
    const double z = random.normal();
    chi_squared += z * z;
  }
  const double stretch = std::sqrt(5 / chi_squared);
  for (Eigen::Index i = 0; i < frequency.size(); ++i) frequency[i] = static_cast<float>(stretch * random.normal());
}

/// What drift and noise might have done at these times.
Eigen::VectorXd draw_disturbance(const Observations& seen, const HyperParameters& hyper, Random& random) {
  const double drift = std::exp(hyper.log_drift), noise = std::exp(hyper.log_noise);
  Eigen::VectorXd disturbance(seen.count());
  double state = drift * random.normal();
  for (Eigen::Index i = 0; i < seen.count(); ++i) {
    if (i > 0) {
      const double memory = std::exp(-std::abs(seen.times[i] - seen.times[i - 1]) / kDriftTime);
      state = memory * state + drift * std::sqrt(1 - memory * memory) * random.normal();
    }
    disturbance[i] = state + noise * std::sqrt(seen.weights[i]) * random.normal();
  }
  return disturbance;
}

}  // namespace

Path::Path(const GaussianProcess& process, Random& random)
    : process_(&process), frequencies_(process.coordinates(), kFeatures), phases_(kFeatures), amplitudes_(kFeatures) {
  const double scale = std::exp(process.hyper_parameters().log_signal) * std::sqrt(2.0 / kFeatures);
  for (Eigen::Index i = 0; i < kFeatures; ++i) {
    draw_frequency(frequencies_.col(i), random);
    phases_[i] = static_cast<float>(2 * std::numbers::pi * random.uniform());
    amplitudes_[i] = static_cast<float>(scale * random.normal());
  }
  const Observations& seen = process.observations();
  main_ = Eigen::VectorXd(seen.points.cols() - process.coordinates());
  for (double& effect : main_) effect = random.normal();
  const Eigen::VectorXd drawn = prior(process.scaled(seen.points)) + draw_disturbance(seen, process.hyper_parameters(), random);
  correction_ = process.solve(seen.values - drawn);
}

Eigen::VectorXd Path::prior(const Eigen::MatrixXd& scaled_points) const {
  const Eigen::MatrixXf angles = (scaled_points.leftCols(frequencies_.rows()).cast<float>() * frequencies_).rowwise() + phases_;
  return (angles.array().cos().matrix() * amplitudes_).cast<double>() + scaled_points.rightCols(main_.size()) * main_;
}

Eigen::VectorXd Path::at(const Eigen::MatrixXd& points) const {
  const Eigen::MatrixXd scaled = process_->scaled(points);
  return prior(scaled) + (process_->cross_covariance(scaled) * correction_.cast<float>()).cast<double>();
}

}  // namespace netsettle::strategies
