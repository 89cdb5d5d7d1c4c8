#pragma once
// One function drawn from the posterior of a Gaussian process, at a cost that is linear in the points it is evaluated at: a draw of the
// prior by random Fourier features, corrected by what was observed (pathwise conditioning: Wilson et al. 2020; Rahimi & Recht 2007).

#include "strategies/designs/random.hpp"
#include "strategies/surrogate/gaussian_process.hpp"

namespace netsettle::strategies {

class Path {
 public:
  /// `process` must outlive this.
  Path(const GaussianProcess& process, Random& random);

  /// One value a row.
  Eigen::VectorXd at(const Eigen::MatrixXd& points) const;

 private:
  Eigen::VectorXd prior(const Eigen::MatrixXd& scaled_points) const;

  const GaussianProcess* process_;
  Eigen::MatrixXd frequencies_;  // a column a feature
  Eigen::RowVectorXd phases_;
  Eigen::VectorXd amplitudes_, main_;
  Eigen::VectorXd correction_;
};

}  // namespace netsettle::strategies
