#include "strategies/statistics/planning.hpp"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

namespace netsettle::strategies {
namespace {

constexpr int kMinimumBlocks = 6;
constexpr int kMostBlocks = 10'000;

/// The non-centrality at which a one-sided t test with `freedom` has the wanted power, by bisection.
double noncentrality(int freedom, double alpha, double power) {
  const double critical = boost::math::quantile(boost::math::complement(boost::math::students_t(freedom), alpha));
  double low = 0, high = 1;
  const auto power_at = [&](double delta) {
    return boost::math::cdf(boost::math::complement(boost::math::non_central_t(freedom, delta), critical));
  };
  while (power_at(high) < power) high *= 2;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (power_at(middle) < power ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

std::optional<double> detectable_effect(const PairedPlan& plan) {
  if (plan.blocks < 2 || !std::isfinite(plan.noise) || plan.noise < 0) return std::nullopt;
  const double delta = noncentrality(plan.blocks - 1, plan.alpha, plan.power);
  return std::expm1(delta * plan.noise * std::numbers::sqrt2 / std::sqrt(plan.blocks));
}

std::optional<int> blocks_needed(double effect, double noise, double alpha) {
  if (!(effect > 0) || !(noise > 0)) return std::nullopt;
  const boost::math::normal normal;
  const double z = boost::math::quantile(boost::math::complement(normal, alpha)) + boost::math::quantile(normal, 0.8);
  const double ratio = z * noise / std::log1p(effect);
  const double blocks = std::ceil(2 * ratio * ratio + 1.5);
  if (!(blocks <= kMostBlocks)) return std::nullopt;
  return std::max(kMinimumBlocks, static_cast<int>(blocks));
}

}  // namespace netsettle::strategies
