#include "strategies/importance/surrogate_model.hpp"

#include "strategies/designs/random.hpp"
#include "strategies/surrogate/path.hpp"

namespace netsettle::strategies {

JointBelief SurrogateModel::joint(const std::vector<Configuration>& configurations) const {
  const auto [mean, covariance] = surrogate_.versus_baseline(surrogate_.features().points(configurations));
  JointBelief belief{.mean = {mean.begin(), mean.end()}, .covariance = {}};
  belief.covariance.reserve(static_cast<std::size_t>(covariance.size()));
  for (Eigen::Index i = 0; i < covariance.rows(); ++i)
    for (Eigen::Index j = 0; j < covariance.cols(); ++j) belief.covariance.push_back(covariance(i, j));
  return belief;
}

std::vector<double> SurrogateModel::means(const std::vector<Configuration>& configurations) const {
  const auto process_mean = [&](const std::vector<Configuration>& some) -> Eigen::VectorXd {
    return surrogate_.process().mean(surrogate_.features().points(some));
  };
  const Eigen::VectorXd mean = process_mean(configurations);
  const double origin = process_mean({baseline_})[0];
  std::vector<double> means;
  for (const double value : mean) means.push_back(surrogate_.scale() * (value - origin));
  return means;
}

std::vector<std::vector<double>> SurrogateModel::draws(const std::vector<Configuration>& configurations, int count,
                                                       std::uint64_t seed) const {
  const Eigen::MatrixXd points = surrogate_.features().points(configurations);
  Random random(seed);
  std::vector<std::vector<double>> drawn;
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXd values = surrogate_.scale() * Path(surrogate_.process(), random).at(points);
    drawn.emplace_back(values.begin(), values.end());
  }
  return drawn;
}

}  // namespace netsettle::strategies
