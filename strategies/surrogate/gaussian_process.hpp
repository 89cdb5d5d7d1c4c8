#pragma once
// A Gaussian process over points and time: y(x, t) = f(x) + drift(t) + noise, with the mean 0.
//
//   f      Matérn 5/2 with a length scale for each parameter (Rasmussen & Williams 2006, 4.2)
//   drift  Ornstein-Uhlenbeck, correlation exp(-|t - t'| / kDriftTime) (Bogunovic et al. 2016)
//   noise  independent, its variance multiplied by a weight for each observation
//
// Predictions are of f: what the machine did at the time is taken off.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "strategies/surrogate/hyper_parameters.hpp"

namespace netsettle::strategies {

/// What was seen. Rows of `points`, and as many times (in trials), values and weights.
struct Observations {
  Eigen::MatrixXd points;
  Eigen::VectorXd times, values, weights;

  Eigen::Index count() const { return values.size(); }
};

/// Of f, in the units of the values.
struct Prediction {
  Eigen::VectorXd mean, standard_deviation;
};

class GaussianProcess {
 public:
  /// `parameters`: of each coordinate, the place of its length scale. Throws std::runtime_error where the covariance cannot be factored,
  /// which its diagonal excludes for finite input.
  GaussianProcess(Observations observations, std::vector<std::size_t> parameters, HyperParameters hyper);

  const Observations& observations() const { return observations_; }
  const HyperParameters& hyper_parameters() const { return hyper_; }

  /// In single precision, to compare many points: right to about four digits.
  Eigen::VectorXd mean(const Eigen::MatrixXd& points) const;
  Prediction predict(const Eigen::MatrixXd& points) const;
  /// Mean, and covariance of the rows with each other, in double precision.
  std::pair<Eigen::VectorXd, Eigen::MatrixXd> joint(const Eigen::MatrixXd& points) const;

  Eigen::Index coordinates() const { return static_cast<Eigen::Index>(parameters_.size()); }
  /// How far each observation falls from what the others say of it, in units of the standard deviation that they expect (Rasmussen &
  /// Williams 2006, 5.4.2). Cost: the cube of the observations.
  Eigen::VectorXd leave_one_out() const;

  /// Coordinates divided by their length scales, basis multiplied by its scale.
  Eigen::MatrixXd scaled(const Eigen::MatrixXd& points) const;
  /// Covariance of f between rows of scaled points and the observations, in single precision.
  Eigen::MatrixXf cross_covariance(const Eigen::MatrixXd& scaled_points) const;
  /// (covariance of the observations)⁻¹ × residuals.
  Eigen::VectorXd solve(const Eigen::VectorXd& residuals) const { return factor_.solve(residuals); }

 private:
  Eigen::MatrixXd covariance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) const;

  Observations observations_;
  std::vector<std::size_t> parameters_;
  HyperParameters hyper_;
  Eigen::MatrixXd scaled_;
  Eigen::MatrixXf scaled_float_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXf root_;               // the factor in single precision
  Eigen::VectorXd weights_of_values_;  // solve(values)
};

/// Squared Euclidean distances between the rows of a and those of b.
Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// exp(-|t - t'| / kDriftTime). The times ascend or descend.
Eigen::MatrixXd drift_correlation(const Eigen::VectorXd& times);

}  // namespace netsettle::strategies
