#include "strategies/surrogate/gaussian_process.hpp"

#include <cmath>
#include <stdexcept>

namespace netsettle::strategies {
namespace {

constexpr double kJitter = 1e-8;

}  // namespace

Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd distances = -2 * (a * b.transpose());
  distances.colwise() += a.rowwise().squaredNorm();
  distances.rowwise() += b.rowwise().squaredNorm().transpose();
  return distances.cwiseMax(0);
}

void matern52(Eigen::Ref<Eigen::MatrixXd> squared_distances) {
  const Eigen::ArrayXXd r2 = 5 * squared_distances.array();
  const Eigen::ArrayXXd r = r2.sqrt();
  squared_distances.array() = (1 + r + r2 / 3) * (-r).exp();
}

Eigen::MatrixXd drift_correlation(const Eigen::VectorXd& times) {
  const Eigen::Index n = times.size();
  Eigen::MatrixXd correlation(n, n);
  // In order of time each column is the one before it, fainter: one exponential a step instead of one a pair.
  for (Eigen::Index j = 0; j < n; ++j) {
    const double fade = j == 0 ? 0 : std::exp(-std::abs(times[j] - times[j - 1]) / kDriftTime);
    if (j > 0) correlation.col(j).head(j) = fade * correlation.col(j - 1).head(j);
    correlation(j, j) = 1;
    correlation.row(j).head(j) = correlation.col(j).head(j).transpose();
  }
  return correlation;
}

GaussianProcess::GaussianProcess(Observations observations, std::vector<std::size_t> parameters, HyperParameters hyper)
    : observations_(std::move(observations)), parameters_(std::move(parameters)), hyper_(std::move(hyper)) {
  scaled_ = scaled(observations_.points);
  Eigen::MatrixXd all = covariance(scaled_, scaled_);
  all += std::exp(2 * hyper_.log_drift) * drift_correlation(observations_.times);
  all.diagonal().array() += std::exp(2 * hyper_.log_noise) * observations_.weights.array() + kJitter;
  factor_.compute(all);
  if (factor_.info() != Eigen::Success) throw std::runtime_error("the covariance of the observations has no Cholesky factor");
  weights_of_values_ = factor_.solve(observations_.values);
}

Eigen::MatrixXd GaussianProcess::scaled(const Eigen::MatrixXd& points) const {
  Eigen::RowVectorXd factors = Eigen::RowVectorXd::Constant(points.cols(), std::exp(hyper_.log_main));
  for (Eigen::Index i = 0; i < coordinates(); ++i)
    factors[i] = std::exp(-hyper_.log_lengths[static_cast<Eigen::Index>(parameters_[static_cast<std::size_t>(i)])]);
  return points.array().rowwise() * factors.array();
}

Eigen::MatrixXd GaussianProcess::covariance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) const {
  const Eigen::Index left = coordinates(), right = a.cols() - left;
  Eigen::MatrixXd result = squared_distances(a.leftCols(left), b.leftCols(left));
  matern52(result);
  result *= std::exp(2 * hyper_.log_signal);
  result.noalias() += a.rightCols(right) * b.rightCols(right).transpose();
  return result;
}

Eigen::MatrixXd GaussianProcess::cross_covariance(const Eigen::MatrixXd& scaled_points) const { return covariance(scaled_points, scaled_); }

Eigen::VectorXd GaussianProcess::mean(const Eigen::MatrixXd& points) const { return cross_covariance(scaled(points)) * weights_of_values_; }

Prediction GaussianProcess::predict(const Eigen::MatrixXd& points) const {
  const Eigen::MatrixXd at = scaled(points);
  const Eigen::MatrixXd cross = cross_covariance(at);
  const Eigen::MatrixXd explained = factor_.matrixL().solve(cross.transpose());
  const Eigen::ArrayXd variance = std::exp(2 * hyper_.log_signal) +
                                  at.rightCols(at.cols() - coordinates()).rowwise().squaredNorm().array() -
                                  explained.colwise().squaredNorm().transpose().array();
  return {.mean = cross * weights_of_values_, .standard_deviation = variance.max(1e-12).sqrt()};
}

Eigen::VectorXd GaussianProcess::local_noise(const Eigen::MatrixXd& points) const {
  // What the model leaves of an observation is its noise variance times its weight in the mean.
  const Eigen::ArrayXd residuals = std::exp(2 * hyper_.log_noise) * observations_.weights.array() * weights_of_values_.array();
  const Eigen::Index left = coordinates();
  Eigen::MatrixXd correlation = squared_distances(scaled(points).leftCols(left), scaled_.leftCols(left));
  matern52(correlation);
  const Eigen::ArrayXd near = correlation.rowwise().sum().array().max(1e-12);
  return ((correlation * residuals.square().matrix()).array() / near).sqrt();
}

std::pair<Eigen::VectorXd, Eigen::MatrixXd> GaussianProcess::joint(const Eigen::MatrixXd& points) const {
  const Eigen::MatrixXd at = scaled(points);
  const Eigen::MatrixXd cross = cross_covariance(at);
  const Eigen::MatrixXd explained = factor_.matrixL().solve(cross.transpose());
  Eigen::MatrixXd remaining = covariance(at, at);
  remaining.noalias() -= explained.transpose() * explained;
  return {cross * weights_of_values_, std::move(remaining)};
}

}  // namespace netsettle::strategies
