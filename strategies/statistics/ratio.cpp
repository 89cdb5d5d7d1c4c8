#include "strategies/statistics/ratio.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

struct MeanAndError {
  double mean = 0;
  double variance = 0;  // of the mean
  int n = 0;
};

std::optional<MeanAndError> mean_of(std::span<const double> values) {
  const auto summary = summarise_values(values);
  if (!summary || !summary->standard_deviation) return std::nullopt;
  return MeanAndError{
      .mean = summary->mean, .variance = *summary->standard_deviation * *summary->standard_deviation / summary->n, .n = summary->n};
}

/// Of the means.
double covariance_of(std::span<const double> a, double mean_a, std::span<const double> b, double mean_b) {
  double products = 0;
  for (std::size_t i = 0; i < a.size(); ++i) products += (a[i] - mean_a) * (b[i] - mean_b);
  const auto n = static_cast<double>(a.size());
  return products / (n - 1) / n;
}

/// Satterthwaite's degrees of freedom of numerator - ratio × denominator; 1 where there is no spread at all.
double satterthwaite(const MeanAndError& numerator, const MeanAndError& denominator) {
  const double ratio = numerator.mean / denominator.mean;
  const double a = numerator.variance, b = ratio * ratio * denominator.variance;
  const double spread = a * a / (numerator.n - 1) + b * b / (denominator.n - 1);
  return spread > 0 ? (a + b) * (a + b) / spread : 1;
}

}  // namespace

std::optional<RatioInterval> fieller(const MeanPair& means, double alpha) {
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(means.freedom), alpha));
  const double square = means.denominator * means.denominator;
  const double g = t * t * means.denominator_variance / square;
  if (!(g < 1) || !(square > 0)) return std::nullopt;
  // The roots of (a - R b)² = t² (var a - 2 R cov + R² var b), divided by b².
  const double ratio = means.numerator / means.denominator;
  const double half_linear = ratio - t * t * means.covariance / square;
  const double constant = ratio * ratio - t * t * means.numerator_variance / square;
  const double root = std::sqrt(std::max(0.0, half_linear * half_linear - (1 - g) * constant));
  return RatioInterval{.ratio = ratio, .low = (half_linear - root) / (1 - g), .high = (half_linear + root) / (1 - g)};
}

std::optional<RatioInterval> ratio_in_blocks(std::span<const double> numerator, std::span<const double> denominator, double alpha) {
  const auto a = mean_of(numerator), b = mean_of(denominator);
  if (!a || !b || a->n != b->n) return std::nullopt;
  return fieller({.numerator = a->mean,
                  .denominator = b->mean,
                  .numerator_variance = a->variance,
                  .denominator_variance = b->variance,
                  .covariance = covariance_of(numerator, a->mean, denominator, b->mean),
                  .freedom = static_cast<double>(a->n - 1)},
                 alpha);
}

std::optional<RatioInterval> ratio_unpaired(std::span<const double> numerator, std::span<const double> denominator, double alpha) {
  const auto a = mean_of(numerator), b = mean_of(denominator);
  if (!a || !b || b->mean == 0) return std::nullopt;
  return fieller({.numerator = a->mean,
                  .denominator = b->mean,
                  .numerator_variance = a->variance,
                  .denominator_variance = b->variance,
                  .covariance = 0,
                  .freedom = satterthwaite(*a, *b)},
                 alpha);
}

}  // namespace netsettle::strategies
