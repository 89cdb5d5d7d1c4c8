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

namespace {

/// Matérn 5/2 with variance 1 of squared distances, in place.
void matern52(Eigen::MatrixXd& squared_distances) {
  auto r = squared_distances.array();
  r = (5 * r).sqrt();
  r = (1 + r + r.square() / 3) * (-r).exp();
}

}  // namespace

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
  scaled_float_ = scaled_.cast<float>();
  Eigen::MatrixXd all = covariance(scaled_, scaled_);
  all += std::exp(2 * hyper_.log_drift) * drift_correlation(observations_.times);
  all.diagonal().array() += std::exp(2 * hyper_.log_noise) * observations_.weights.array() + kJitter;
  factor_.compute(all);
  if (factor_.info() != Eigen::Success) throw std::runtime_error("the covariance of the observations has no Cholesky factor");
  root_ = factor_.matrixLLT().cast<float>();
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

Eigen::MatrixXf GaussianProcess::cross_covariance(const Eigen::MatrixXd& scaled_points) const {
  const Eigen::MatrixXf at = scaled_points.cast<float>();
  const Eigen::Index left = coordinates(), right = at.cols() - left;
  const auto signal = static_cast<float>(std::exp(2 * hyper_.log_signal));
  Eigen::MatrixXf result = at.rightCols(right) * scaled_float_.rightCols(right).transpose();
  Eigen::ArrayXf r(at.rows());  // by columns: the sums stay in the cache, and differences lose no digits
  for (Eigen::Index j = 0; j < result.cols(); ++j) {
    r.setZero();
    for (Eigen::Index k = 0; k < left; ++k) r += (at.col(k).array() - scaled_float_(j, k)).square();
    r = (5 * r).sqrt();
    result.col(j).array() += signal * (1 + r + r.square() / 3) * (-r).exp();
  }
  return result;
}

Eigen::VectorXd GaussianProcess::mean(const Eigen::MatrixXd& points) const {
  return (cross_covariance(scaled(points)) * weights_of_values_.cast<float>()).cast<double>();
}

Prediction GaussianProcess::predict(const Eigen::MatrixXd& points) const {
  const Eigen::MatrixXd at = scaled(points);
  const Eigen::MatrixXf cross = cross_covariance(at);
  const Eigen::MatrixXf explained = root_.triangularView<Eigen::Lower>().solve(cross.transpose());
  const Eigen::ArrayXd variance = std::exp(2 * hyper_.log_signal) +
                                  at.rightCols(at.cols() - coordinates()).rowwise().squaredNorm().array() -
                                  explained.colwise().squaredNorm().transpose().cast<double>().array();
  return {.mean = (cross * weights_of_values_.cast<float>()).cast<double>(), .standard_deviation = variance.max(1e-9).sqrt()};
}

Eigen::VectorXd GaussianProcess::leave_one_out() const {
  const Eigen::Index n = observations_.count();
  const Eigen::MatrixXd root = factor_.matrixL().solve(Eigen::MatrixXd::Identity(n, n));
  return weights_of_values_.array() / root.colwise().norm().transpose().array();
}

std::pair<Eigen::VectorXd, Eigen::MatrixXd> GaussianProcess::joint(const Eigen::MatrixXd& points) const {
  const Eigen::MatrixXd at = scaled(points);
  const Eigen::MatrixXd cross = covariance(at, scaled_);
  const Eigen::MatrixXd explained = factor_.matrixL().solve(cross.transpose());
  Eigen::MatrixXd remaining = covariance(at, at);
  remaining.noalias() -= explained.transpose() * explained;
  return {cross * weights_of_values_, std::move(remaining)};
}

}  // namespace netsettle::strategies
