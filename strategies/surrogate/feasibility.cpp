#include "strategies/surrogate/feasibility.hpp"

#include <cmath>
#include <numbers>

namespace netsettle::strategies {

Observations label_observations(const Eigen::MatrixXd& points, const Eigen::VectorXd& labels) {
  const Eigen::Index n = labels.size();
  // All at one time: the border does not drift.
  return {
      .points = points, .times = Eigen::VectorXd::Zero(n), .values = labels.array() - labels.mean(), .weights = Eigen::VectorXd::Ones(n)};
}

Feasibility::Feasibility(const Eigen::MatrixXd& points, const Eigen::VectorXd& labels, const std::vector<std::size_t>& parameters,
                         const HyperParameters& hyper)
    : process_(GaussianProcess(label_observations(points, labels), parameters, hyper)), mean_(labels.mean()) {}

Eigen::VectorXd Feasibility::probability(const Eigen::MatrixXd& points) const {
  if (!process_) return Eigen::VectorXd::Ones(points.rows());
  const Prediction label = process_->predict(points);
  const Eigen::ArrayXd z = (label.mean.array() + mean_) / label.standard_deviation.array();
  return z.unaryExpr([](double value) { return 0.5 * std::erfc(-value / std::numbers::sqrt2); });
}

}  // namespace netsettle::strategies
