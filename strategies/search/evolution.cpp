#include "strategies/search/evolution.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace netsettle::strategies {
namespace {

double square(double x) { return x * x; }

/// P(N(0, 1) > z) and the z for a probability.
double beyond(double z) { return boost::math::cdf(boost::math::complement(boost::math::normal(), z)); }
double place_of_tail(double p) { return boost::math::quantile(boost::math::complement(boost::math::normal(), p)); }

/// Table 1 of the tutorial, for n dimensions and this many ranked offspring. The worse half has no weight, as in the margin's paper.
struct Constants {
  std::vector<double> weights;  // of the better half, together 1
  double mu_effective = 0;
  double sigma_rate = 0, sigma_damping = 0;
  double path_rate = 0, rank_one = 0, rank_mu = 0;
  double normal_length = 0;  // E |N(0, I)|
};

std::vector<double> weights_of(std::size_t ranked) {
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t i = 1; i <= ranked / 2; ++i) {
    weights.push_back(std::log((static_cast<double>(ranked) + 1) / 2) - std::log(static_cast<double>(i)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

Constants constants_of(double n, std::size_t ranked) {
  Constants c{.weights = weights_of(ranked)};
  double squares = 0;
  for (const double weight : c.weights) squares += square(weight);
  const double m = c.mu_effective = 1 / squares;
  c.sigma_rate = (m + 2) / (n + m + 5);
  c.sigma_damping = 1 + 2 * std::max(0.0, std::sqrt((m - 1) / (n + 1)) - 1) + c.sigma_rate;
  c.path_rate = (4 + m / n) / (n + 4 + 2 * m / n);
  c.rank_one = 2 / (square(n + 1.3) + m);
  c.rank_mu = std::min(1 - c.rank_one, 2 * (0.25 + m + 1 / m - 2) / (square(n + 2) + m));
  c.normal_length = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  return c;
}

}  // namespace

int default_offspring(std::size_t dimensions) {
  return 4 + static_cast<int>(std::floor(3 * std::log(static_cast<double>(std::max<std::size_t>(1, dimensions)))));
}

Evolution::Evolution(CubePoint mean, CellOf cell_of)
    : cell_of_(std::move(cell_of)), mean_(Eigen::Map<const Eigen::VectorXd>(mean.data(), std::ssize(mean))) {
  const Eigen::Index n = mean_.size();
  covariance_ = Eigen::MatrixXd::Identity(n, n);
  stretch_ = Eigen::VectorXd::Ones(n);
  sigma_path_ = covariance_path_ = Eigen::VectorXd::Zero(n);
  offspring_ = default_offspring(mean.size());
  factorise();
  keep_margin();
}

void Evolution::factorise() {
  covariance_ = (covariance_ + covariance_.transpose()).eval() / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance_);
  axes_ = solver.eigenvectors();
  lengths_ = solver.eigenvalues().cwiseMax(1e-14).cwiseSqrt();
}

double Evolution::spread(std::size_t axis) const {
  const auto i = static_cast<Eigen::Index>(axis);
  return sigma_ * stretch_(i) * std::sqrt(std::max(0.0, covariance_(i, i)));
}

Evolution::Offspring Evolution::sample(Random& random) const {
  Eigen::VectorXd z(mean_.size());
  for (double& coordinate : z) coordinate = random.normal();
  Offspring offspring{.step = axes_ * lengths_.cwiseProduct(z), .point = {}};
  const Eigen::VectorXd place = mean_ + sigma_ * stretch_.cwiseProduct(offspring.step);
  for (const double coordinate : place) offspring.point.push_back(std::clamp(coordinate, 0.0, 1.0));
  return offspring;
}

void Evolution::update(const std::vector<Offspring>& best_first) {
  if (best_first.size() < 2) return;
  const double n = static_cast<double>(mean_.size());
  const Constants c = constants_of(n, best_first.size());
  ++generation_;
  const auto whitened = [&](const Eigen::VectorXd& step) -> Eigen::VectorXd {  // C^-1/2 step
    return axes_ * (axes_.transpose() * step).cwiseQuotient(lengths_);
  };
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(mean_.size());
  for (std::size_t i = 0; i < c.weights.size(); ++i) moved += c.weights[i] * best_first[i].step;
  mean_ = (mean_ + sigma_ * stretch_.cwiseProduct(moved)).cwiseMax(0).cwiseMin(1);

  sigma_path_ = (1 - c.sigma_rate) * sigma_path_ + std::sqrt(c.sigma_rate * (2 - c.sigma_rate) * c.mu_effective) * whitened(moved);
  const double length = sigma_path_.norm();
  const double expected = std::sqrt(1 - std::pow(1 - c.sigma_rate, 2.0 * generation_));
  const bool advances = length / expected < (1.4 + 2 / (n + 1)) * c.normal_length;
  covariance_path_ *= 1 - c.path_rate;
  if (advances) covariance_path_ += std::sqrt(c.path_rate * (2 - c.path_rate) * c.mu_effective) * moved;

  const double stalled = advances ? 0 : c.path_rate * (2 - c.path_rate);
  Eigen::MatrixXd next = (1 + c.rank_one * stalled - c.rank_one - c.rank_mu) * covariance_;
  next += c.rank_one * covariance_path_ * covariance_path_.transpose();
  for (std::size_t i = 0; i < c.weights.size(); ++i) next += c.rank_mu * c.weights[i] * best_first[i].step * best_first[i].step.transpose();
  covariance_ = std::move(next);
  // A distribution wider than at the beginning would lie outside the cube for the greater part.
  sigma_ = std::min(kFirstSpread, sigma_ * std::exp(c.sigma_rate / c.sigma_damping * (length / c.normal_length - 1)));
  factorise();
  keep_margin();
}

void Evolution::keep_margin() {
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(mean_.size()); ++axis)
    if (const auto cell = cell_of_(axis, mean_(static_cast<Eigen::Index>(axis)))) keep_margin(axis, *cell);
}

/// Equations 12 to 18 of the paper: at an end the mean is moved, elsewhere mean and spread.
void Evolution::keep_margin(std::size_t axis, const UnitCube::Cell& cell) {
  const bool lowest = cell.low <= 0, highest = cell.high >= 1;
  if (lowest && highest) return;
  const auto i = static_cast<Eigen::Index>(axis);
  const double margin = 1.0 / (static_cast<double>(mean_.size()) * offspring_), here = spread(axis);
  if (lowest || highest) {
    const double border = lowest ? cell.high : cell.low, farthest = here * place_of_tail(margin);
    mean_(i) = border + std::clamp(mean_(i) - border, -farthest, farthest);
    return;
  }
  const double low = beyond((mean_(i) - cell.low) / here), high = beyond((cell.high - mean_(i)) / here);
  if (low >= margin / 2 && high >= margin / 2) return;
  const double low_kept = std::max(margin / 2, low), high_kept = std::max(margin / 2, high), middle = 1 - low - high;
  const double excess = (1 - low_kept - high_kept - middle) / (low_kept + high_kept + middle - 1.5 * margin);
  const double to_low = place_of_tail(low_kept + excess * (low_kept - margin / 2));
  const double to_high = place_of_tail(high_kept + excess * (high_kept - margin / 2));
  mean_(i) = (cell.low * to_high + cell.high * to_low) / (to_low + to_high);
  stretch_(i) *= (cell.high - cell.low) / (here * (to_low + to_high));
}

}  // namespace netsettle::strategies
