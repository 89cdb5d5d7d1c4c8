#include "strategies/statistics/binomial.hpp"

#include <boost/math/distributions/beta.hpp>

namespace netsettle::strategies {

std::optional<double> clopper_pearson_upper(int events, int n, double confidence) {
  if (n < 1 || events < 0 || events > n) return std::nullopt;
  if (events == n) return 1.0;
  return boost::math::quantile(boost::math::beta_distribution<>(events + 1, n - events), confidence);
}

}  // namespace netsettle::strategies
