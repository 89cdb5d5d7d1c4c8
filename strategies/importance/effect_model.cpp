#include "strategies/importance/effect_model.hpp"

#include <algorithm>
#include <cmath>

namespace netsettle::strategies {
namespace {

constexpr double kLeastVariance = 1e-18;  // rounding may make less than nothing of it

NormalBelief belief(double mean, double variance) {
  return {.mean = mean, .standard_deviation = std::sqrt(std::max(kLeastVariance, variance))};
}

}  // namespace

NormalBelief JointBelief::of(std::size_t i) const { return belief(mean[i], covariance[i * mean.size() + i]); }

NormalBelief JointBelief::difference(std::size_t i, std::size_t versus) const {
  const auto at = [&](std::size_t row, std::size_t column) { return covariance[row * mean.size() + column]; };
  return belief(mean[i] - mean[versus], at(i, i) + at(versus, versus) - at(i, versus) - at(versus, i));
}

}  // namespace netsettle::strategies
