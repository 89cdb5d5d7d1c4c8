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
  // The random function is single precision: its cosines take a third of the time, and nothing depends on the digits that it loses.
  Eigen::MatrixXf frequencies_;  // a column a feature
  Eigen::RowVectorXf phases_;
  Eigen::VectorXf amplitudes_;
  Eigen::VectorXd main_, correction_;
};

}  // namespace netsettle::strategies
