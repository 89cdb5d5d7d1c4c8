#include "strategies/surrogate/hyper_parameters.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <nlopt.hpp>
#include <numbers>

#include "strategies/surrogate/gaussian_process.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kEvaluations = 20, kMoreEvaluations = 10;
constexpr double kNoiseEffect = 0.3;  // prior standard deviation of an effect on ln(standard deviation)
constexpr double kLogVariance = 0.7;  // of half the logarithm of a squared standard normal value + kLeastSquare
constexpr double kLeastSquare = 0.05;
constexpr double kMostEffect = 2;
constexpr double kBound = 4;  // of the logarithms
constexpr double kJitter = 1e-8;

struct NormalPrior {
  double mean = 0, standard_deviation = 1;
};
constexpr NormalPrior kLength{0.2, 0.8}, kSignal{-0.7, 1}, kMain{-2.5, 0.7}, kNoise{-1.8, 1}, kDrift{-2.2, 1};

/// The negative logarithm of likelihood × prior, with its gradient.
class Objective {
 public:
  Objective(const Observations& observations, const std::vector<std::size_t>& parameters)
      : values_(observations.values), weights_(observations.weights), drift_(drift_correlation(observations.times)) {
    const std::size_t count = parameters.empty() ? 0 : *std::ranges::max_element(parameters) + 1;
    for (std::size_t parameter = 0; parameter < count; ++parameter) {
      std::vector<Eigen::Index> columns;
      for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i] == parameter) columns.push_back(static_cast<Eigen::Index>(i));
      const Eigen::MatrixXd part = observations.points(Eigen::all, columns);
      distances_.push_back(squared_distances(part, part));
    }
    const Eigen::MatrixXd basis = observations.points.rightCols(observations.points.cols() - static_cast<Eigen::Index>(parameters.size()));
    main_ = basis * basis.transpose();
  }

  std::size_t dimensions() const { return distances_.size() + 4; }

  double operator()(const Eigen::VectorXd& theta, Eigen::VectorXd* gradient) const {
    const HyperParameters hyper = HyperParameters::from(theta, distances_.size());
    const Eigen::Index n = values_.size();
    Eigen::MatrixXd r2 = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t i = 0; i < distances_.size(); ++i)
      r2 += std::exp(-2 * hyper.log_lengths[static_cast<Eigen::Index>(i)]) * distances_[i];
    const double signal = std::exp(2 * hyper.log_signal), noise = std::exp(2 * hyper.log_noise), main = std::exp(2 * hyper.log_main),
                 drift = std::exp(2 * hyper.log_drift);
    const Eigen::ArrayXXd r = (5 * r2.array()).sqrt();
    const Eigen::ArrayXXd decay = signal * (-r).exp();
    const Eigen::MatrixXd smooth = (1 + r + 5 * r2.array() / 3) * decay;
    Eigen::MatrixXd covariance = smooth + main * main_ + drift * drift_;
    covariance.diagonal().array() += noise * weights_.array() + kJitter;
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success) return std::numeric_limits<double>::max();
    const Eigen::VectorXd alpha = factor.solve(values_);
    const double loss = 0.5 * values_.dot(alpha) + factor.matrixLLT().diagonal().array().log().sum();
    if (gradient != nullptr) {
      Eigen::MatrixXd w = factor.solve(Eigen::MatrixXd::Identity(n, n));
      w.noalias() -= alpha * alpha.transpose();
      const Eigen::ArrayXXd slope = w.array() * (5.0 / 3.0) * (1 + r) * decay;
      for (std::size_t i = 0; i < distances_.size(); ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        (*gradient)[at] = 0.5 * std::exp(-2 * hyper.log_lengths[at]) * (slope * distances_[i].array()).sum();
      }
      const Eigen::Index last = theta.size();
      (*gradient)[last - 4] = (w.array() * smooth.array()).sum();
      (*gradient)[last - 3] = main * (w.array() * main_.array()).sum();
      (*gradient)[last - 2] = noise * (w.diagonal().array() * weights_.array()).sum();
      (*gradient)[last - 1] = drift * (w.array() * drift_.array()).sum();
    }
    return loss + prior(theta, gradient);
  }

 private:
  static double prior(const Eigen::VectorXd& theta, Eigen::VectorXd* gradient) {
    double loss = 0;
    const Eigen::Index size = theta.size();
    for (Eigen::Index i = 0; i < size; ++i) {
      const NormalPrior& belief = i < size - 4    ? kLength
                                  : i == size - 4 ? kSignal
                                  : i == size - 3 ? kMain
                                  : i == size - 2 ? kNoise
                                                  : kDrift;
      const double z = (theta[i] - belief.mean) / belief.standard_deviation;
      loss += 0.5 * z * z;
      if (gradient != nullptr) (*gradient)[i] += z / belief.standard_deviation;
    }
    return loss;
  }

  Eigen::VectorXd values_, weights_;
  Eigen::MatrixXd drift_, main_;
  std::vector<Eigen::MatrixXd> distances_;  // squared, of each parameter
};

double evaluate(const std::vector<double>& theta, std::vector<double>& gradient, void* data) {
  const auto& objective = *static_cast<const Objective*>(data);
  const auto size = static_cast<Eigen::Index>(theta.size());
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(size);
  const double loss = objective(Eigen::Map<const Eigen::VectorXd>(theta.data(), size), gradient.empty() ? nullptr : &slope);
  if (!gradient.empty()) Eigen::Map<Eigen::VectorXd>(gradient.data(), size) = slope;
  return loss;
}

HyperParameters maximised(const Observations& observations, const std::vector<std::size_t>& parameters, const HyperParameters& start,
                          int evaluations) {
  Objective objective(observations, parameters);
  const Eigen::VectorXd begin = start.vector().head(static_cast<Eigen::Index>(objective.dimensions()));
  std::vector<double> theta(begin.begin(), begin.end());
  nlopt::opt optimizer(nlopt::LD_LBFGS, static_cast<unsigned>(theta.size()));
  optimizer.set_min_objective(evaluate, &objective);
  optimizer.set_lower_bounds(-kBound);
  optimizer.set_upper_bounds(kBound);
  optimizer.set_maxeval(evaluations);
  optimizer.set_ftol_abs(1e-3);
  double loss = 0;
  try {
    optimizer.optimize(theta, loss);
  } catch (const std::exception&) {
    // NLopt reports a line search that found nothing better this way; the best point so far is in theta.
  }
  const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(theta.data(), static_cast<Eigen::Index>(theta.size()));
  return HyperParameters::from(found.allFinite() ? found : begin, objective.dimensions() - 4);
}

std::size_t parameter_count(const std::vector<std::size_t>& parameters) {
  return parameters.empty() ? 0 : *std::ranges::max_element(parameters) + 1;
}

Eigen::MatrixXd basis_of(const Observations& observations, const std::vector<std::size_t>& parameters) {
  return observations.points.rightCols(observations.points.cols() - static_cast<Eigen::Index>(parameters.size()));
}

/// On ln(standard deviation): ridge regression of the residuals, which are in units of their standard deviations.
Eigen::VectorXd level_effects(const Eigen::MatrixXd& levels, const Eigen::VectorXd& residuals) {
  const Eigen::VectorXd logs = 0.5 * (residuals.array().square() + kLeastSquare).log();
  const Eigen::MatrixXd centred = levels.rowwise() - levels.colwise().mean();
  Eigen::MatrixXd normal = centred.transpose() * centred;
  normal.diagonal().array() += kLogVariance / (kNoiseEffect * kNoiseEffect);
  return normal.llt().solve(centred.transpose() * (logs.array() - logs.mean()).matrix());
}

}  // namespace

Eigen::VectorXd HyperParameters::noise_factors(const Eigen::MatrixXd& basis) const {
  if (noise_effects.size() == 0) return Eigen::VectorXd::Ones(basis.rows());
  return (2 * (basis * noise_effects).array().max(-kMostEffect).min(kMostEffect)).exp();
}

Eigen::VectorXd HyperParameters::vector() const {
  Eigen::VectorXd all(log_lengths.size() + 4 + noise_effects.size());
  all << log_lengths, log_signal, log_main, log_noise, log_drift, noise_effects;
  return all;
}

HyperParameters HyperParameters::from(const Eigen::VectorXd& vector, std::size_t parameter_count) {
  const auto lengths = static_cast<Eigen::Index>(parameter_count);
  return {.log_lengths = vector.head(lengths),
          .log_signal = vector[lengths],
          .log_main = vector[lengths + 1],
          .log_noise = vector[lengths + 2],
          .log_drift = vector[lengths + 3],
          .noise_effects = vector.tail(vector.size() - lengths - 4)};
}

HyperParameters HyperParameters::prior(std::size_t parameter_count) {
  return {.log_lengths = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(parameter_count), kLength.mean),
          .log_signal = kSignal.mean,
          .log_main = kMain.mean,
          .log_noise = kNoise.mean,
          .log_drift = kDrift.mean,
          .noise_effects = {}};
}

HyperParameters fit(const Observations& observations, const std::vector<std::size_t>& parameters) {
  return maximised(observations, parameters, HyperParameters::prior(parameter_count(parameters)), kEvaluations);
}

HyperParameters fit_with_noise(Observations observations, const std::vector<std::size_t>& parameters,
                               const std::vector<Eigen::Index>& level_columns) {
  constexpr int kRounds = 2;  // what is restless hides in the noise of all at first
  observations.weights.setOnes();
  const HyperParameters equal = fit(observations, parameters);
  if (level_columns.empty()) return equal;
  const Eigen::MatrixXd basis = basis_of(observations, parameters);
  HyperParameters found = equal;
  found.noise_effects = Eigen::VectorXd::Zero(basis.cols());
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd residuals = GaussianProcess(observations, parameters, equal).leave_one_out();
    found.noise_effects(level_columns) += level_effects(basis(Eigen::all, level_columns), residuals);
    observations.weights = found.noise_factors(basis);
  }
  HyperParameters again = maximised(observations, parameters, equal, kMoreEvaluations);
  again.noise_effects = std::move(found.noise_effects);
  return again;
}

}  // namespace netsettle::strategies
