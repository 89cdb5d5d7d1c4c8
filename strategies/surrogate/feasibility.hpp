#pragma once
// Where configurations fail: a Gaussian process over labels, +1 for one that worked and -1 for one that did not, with length scales of its
// own. Failures never enter the model of the objective: a cliff would ruin its length scales.

#include <optional>

#include "strategies/surrogate/gaussian_process.hpp"

namespace netsettle::strategies {

class Feasibility {
 public:
  /// Nothing has failed: everything is feasible.
  Feasibility() = default;
  /// One row and one label (±1) a configuration.
  Feasibility(const Eigen::MatrixXd& points, const Eigen::VectorXd& labels, const std::vector<std::size_t>& parameters,
              const HyperParameters& hyper);

  /// P(works), one value a row.
  Eigen::VectorXd probability(const Eigen::MatrixXd& points) const;

 private:
  std::optional<GaussianProcess> process_;
  double mean_ = 0;
};

/// The labels as observations, the mean of the labels taken off.
Observations label_observations(const Eigen::MatrixXd& points, const Eigen::VectorXd& labels);

}  // namespace netsettle::strategies
