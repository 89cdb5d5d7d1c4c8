#include "strategies/statistics/unpaired.hpp"

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

/// Two-sided; without any spread every difference is one.
double p_of(double difference, double standard_error, int freedom) {
  if (!(standard_error > 0)) return difference != 0 ? 0 : 1;
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), std::abs(difference) / standard_error));
}

}  // namespace

std::optional<UnpairedComparison> compare_unpaired_log(std::span<const double> logs_before, std::span<const double> logs_now,
                                                       double alpha) {
  const auto before = summarise_values(logs_before), now = summarise_values(logs_now);
  if (!before || !now) return std::nullopt;
  const auto spread = pooled_standard_deviation(std::array{*before, *now});
  if (!spread) return std::nullopt;
  const int freedom = before->n + now->n - 2;
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(freedom), alpha));
  const double difference = now->mean - before->mean;
  const double standard_error = *spread * std::sqrt(1.0 / before->n + 1.0 / now->n);
  return UnpairedComparison{.n_before = before->n,
                            .n_now = now->n,
                            .effect = std::expm1(difference),
                            .low = std::expm1(difference - t * standard_error),
                            .high = std::expm1(difference + t * standard_error),
                            .p = p_of(difference, standard_error, freedom)};
}

}  // namespace netsettle::strategies
