#include "strategies/search/block_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "datasets/model/study_view.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kLeastSpread = 0.01;       // configurations are taken to differ by about a percent at least
constexpr double kFewConfigurations = 0.1;  // their spread where there are too few to tell
constexpr double kLeastBlockShare = 0.5;    // of the noise: blocks always differ a little

double square(double x) { return x * x; }

/// Mean of ln(configuration / baseline) over the blocks that have both, one for each configuration.
std::vector<double> mean_differences(const std::vector<BlockObservation>& observations) {
  std::map<int, std::vector<double>> baseline;
  for (const auto& seen : observations)
    if (seen.configuration == kBaselineId) baseline[seen.block].push_back(seen.log_value);
  std::map<std::int64_t, std::vector<double>> differences;
  for (const auto& seen : observations) {
    if (seen.configuration == kBaselineId) continue;
    if (const auto found = baseline.find(seen.block); found != baseline.end())
      differences[seen.configuration].push_back(seen.log_value - summarise_values(found->second)->mean);
  }
  std::vector<double> means;
  for (const auto& [id, values] : differences) means.push_back(summarise_values(values)->mean);
  return means;
}

/// Values far below the others are moved up to Q1 - 1.5 IQR: a few very bad configurations say nothing about the spread at the top.
void winsorise_below(std::vector<double>& values) {
  if (values.size() < 4) return;
  std::ranges::sort(values);
  const double first = values[values.size() / 4], third = values[3 * values.size() / 4];
  const double fence = first - 1.5 * (third - first);
  for (double& value : values) value = std::max(value, fence);
}

/// The prior of a configuration's effect, by the method of moments. One observation's share of the noise is taken off.
NormalBelief prior_of(const std::vector<BlockObservation>& observations, double noise) {
  std::vector<double> differences = mean_differences(observations);
  if (differences.size() < 3) return {.mean = 0, .standard_deviation = kFewConfigurations};
  const auto others = std::ranges::count_if(observations, [](const auto& seen) { return seen.configuration != kBaselineId; });
  const double repeats = static_cast<double>(others) / static_cast<double>(differences.size());
  winsorise_below(differences);
  const Summary summary = *summarise_values(differences);
  const double spread = square(*summary.standard_deviation) - 2 * square(noise) / repeats;
  return {.mean = summary.mean, .standard_deviation = std::sqrt(std::max(square(kLeastSpread), spread))};
}

/// How much blocks differ, from the baseline's means in them.
double block_spread(const std::vector<BlockObservation>& observations, double noise) {
  std::map<int, std::vector<double>> baseline;
  for (const auto& seen : observations)
    if (seen.configuration == kBaselineId) baseline[seen.block].push_back(seen.log_value);
  std::vector<double> means;
  for (const auto& [block, values] : baseline) means.push_back(summarise_values(values)->mean);
  const auto summary = summarise_values(means);
  const double observed = summary ? summary->standard_deviation.value_or(0) : 0;
  return std::sqrt(std::max(square(kLeastBlockShare * noise), square(observed) - square(noise)));
}

/// The normal equations of the model. Row 0 is the level, then configurations. A block's own unknown stands in its observations alone, so
/// it is eliminated, exactly, as the block is added: a long study has thousands of blocks.
class NormalEquations {
 public:
  NormalEquations(const std::vector<BlockObservation>& observations, double noise, const NormalBelief& prior) : prior_(prior) {
    number_rows(observations);
    precision_ = Eigen::MatrixXd::Zero(size_, size_);
    weighted_ = Eigen::VectorXd::Zero(size_);
    for (const auto& [id, row] : configurations_) precision_(row, row) = 1 / square(prior.standard_deviation);
    origin_ = observations.front().log_value;  // keeps the numbers small
    std::map<int, std::vector<BlockObservation>> blocks;
    for (const BlockObservation& seen : observations) blocks[seen.block].push_back(seen);
    const double block_precision = 1 / square(block_spread(observations, noise));
    for (const auto& [number, block] : blocks) add(block, 1 / square(noise), block_precision);
  }

  BlockModelFit solve() const {
    const Eigen::LLT<Eigen::MatrixXd> factor(precision_);
    const Eigen::VectorXd solution = factor.solve(weighted_);
    const Eigen::MatrixXd covariance = factor.solve(Eigen::MatrixXd::Identity(size_, size_));
    BlockModelFit fit{.level = origin_ + solution(0), .prior = prior_, .effects = {}};
    for (const auto& [id, row] : configurations_)
      fit.effects[id] = {.mean = prior_.mean + solution(row), .standard_deviation = std::sqrt(covariance(row, row))};
    return fit;
  }

 private:
  void number_rows(const std::vector<BlockObservation>& observations) {
    for (const BlockObservation& seen : observations)
      if (seen.configuration != kBaselineId) configurations_.try_emplace(seen.configuration, 0);
    for (auto& [id, row] : configurations_) row = size_++;
  }

  void add(const std::vector<BlockObservation>& block, double weight, double block_precision) {
    std::map<int, double> shared;  // row → what it has in common with the block's unknown
    double own = block_precision, sum = 0;
    for (const BlockObservation& seen : block) {
      const auto configuration = configurations_.find(seen.configuration);
      double value = seen.log_value - origin_;
      std::vector<int> rows{0};
      if (configuration != configurations_.end()) {
        rows.push_back(configuration->second);
        value -= prior_.mean;
      }
      for (const int row : rows) {
        weighted_(row) += weight * value;
        shared[row] += weight;
        for (const int column : rows) precision_(row, column) += weight;
      }
      own += weight;
      sum += weight * value;
    }
    for (const auto& [row, in_row] : shared) {
      weighted_(row) -= in_row * sum / own;
      for (const auto& [column, in_column] : shared) precision_(row, column) -= in_row * in_column / own;
    }
  }

  NormalBelief prior_;
  std::map<std::int64_t, int> configurations_;
  int size_ = 1;
  double origin_ = 0;
  Eigen::MatrixXd precision_;
  Eigen::VectorXd weighted_;
};

}  // namespace

std::optional<BlockModelFit> fit_block_model(const std::vector<BlockObservation>& observations, double noise) {
  if (std::ranges::find(observations, kBaselineId, &BlockObservation::configuration) == observations.end()) return std::nullopt;
  return NormalEquations(observations, noise, prior_of(observations, noise)).solve();
}

}  // namespace netsettle::strategies
