#include "strategies/statistics/comparison.hpp"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

/// One-sided p of a mean of differences; without any spread the sign alone decides.
double p_of(double mean, double standard_error, int n) {
  if (!(standard_error > 0)) return mean > 0 ? 0 : 1;
  const boost::math::students_t distribution(n - 1);
  return boost::math::cdf(boost::math::complement(distribution, mean / standard_error));
}

}  // namespace

std::optional<PairedComparison> compare_paired_log(std::span<const double> log_differences, double alpha) {
  const auto summary = summarise_values(log_differences);
  if (!summary || !summary->standard_deviation) return std::nullopt;
  const int n = summary->n;
  const double standard_error = *summary->standard_deviation / std::sqrt(n);
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(n - 1), alpha));
  return PairedComparison{.n = n,
                          .effect = std::expm1(summary->mean),
                          .low = std::expm1(summary->mean - t * standard_error),
                          .high = std::expm1(summary->mean + t * standard_error),
                          .spread = *summary->standard_deviation,
                          .p_greater = p_of(summary->mean, standard_error, n),
                          .alpha = alpha};
}

std::optional<double> spread_ratio_p(double standard_deviation, int n, double reference_standard_deviation, int reference_n) {
  if (n < 2 || reference_n < 2 || !(reference_standard_deviation > 0)) return std::nullopt;
  const double ratio = standard_deviation / reference_standard_deviation;
  const boost::math::fisher_f distribution(n - 1, reference_n - 1);
  return boost::math::cdf(boost::math::complement(distribution, ratio * ratio));
}

}  // namespace netsettle::strategies
