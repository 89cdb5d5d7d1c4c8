#include "strategies/statistics/posterior.hpp"

#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace netsettle::strategies {

NormalBelief updated(const NormalBelief& prior, double observed_mean, double standard_error) {
  if (!(standard_error > 0)) return prior;
  const double prior_weight = 1 / (prior.standard_deviation * prior.standard_deviation);
  const double weight = 1 / (standard_error * standard_error);
  return {.mean = (prior_weight * prior.mean + weight * observed_mean) / (prior_weight + weight),
          .standard_deviation = 1 / std::sqrt(prior_weight + weight)};
}

double probability_above(const NormalBelief& belief, double threshold) {
  const boost::math::normal distribution(belief.mean, belief.standard_deviation);
  return boost::math::cdf(boost::math::complement(distribution, threshold));
}

}  // namespace netsettle::strategies
