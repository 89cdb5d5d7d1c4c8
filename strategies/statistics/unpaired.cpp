#include "strategies/statistics/unpaired.hpp"

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {

std::optional<UnpairedComparison> compare_unpaired_log(std::span<const double> logs_before, std::span<const double> logs_now,
                                                       double alpha) {
  const auto before = summarise_values(logs_before), now = summarise_values(logs_now);
  if (!before || !now) return std::nullopt;
  const auto spread = pooled_standard_deviation(std::array{*before, *now});
  if (!spread) return std::nullopt;
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(before->n + now->n - 2), alpha));
  const double difference = now->mean - before->mean;
  const double half = t * *spread * std::sqrt(1.0 / before->n + 1.0 / now->n);
  return UnpairedComparison{.n_before = before->n,
                            .n_now = now->n,
                            .effect = std::expm1(difference),
                            .low = std::expm1(difference - half),
                            .high = std::expm1(difference + half)};
}

}  // namespace netsettle::strategies
