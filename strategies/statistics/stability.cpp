#include "strategies/statistics/stability.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <vector>

#include "strategies/statistics/binomial.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kBadShare = 0.75;  // of the median
constexpr double kConfidence = 0.95;
constexpr int kLeastForP5 = 12;

double quantile_of(std::span<const double> sorted, double probability) {
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  return below + 1 < sorted.size() ? sorted[below] + rest * (sorted[below + 1] - sorted[below]) : sorted.back();
}

/// Quantiles of chi-square that the intervals of a spread with n values need.
Range chi_squares(int n, double alpha) {
  const boost::math::chi_squared distribution(n - 1);
  return {.low = boost::math::quantile(distribution, alpha), .high = boost::math::quantile(boost::math::complement(distribution, alpha))};
}

std::optional<Range> variation_range(double variation, int n, const Range& chi) {
  const double freedom = n - 1, square = variation * variation;
  const auto end = [&](double quantile) { return ((quantile + 2) / n - 1) * square + quantile / freedom; };
  if (!(end(chi.low) > 0)) return std::nullopt;
  return Range{.low = variation / std::sqrt(end(chi.high)), .high = variation / std::sqrt(end(chi.low))};
}

}  // namespace

double unseen_bound(int n) { return n < 1 ? 1 : -std::expm1(std::log(1 - kConfidence) / n); }

std::optional<Stability> stability_of(std::span<const double> values, double alpha) {
  const auto summary = summarise_values(values);
  if (!summary || !summary->standard_deviation || !(summary->mean > 0) || summary->minimum < 0) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double deviation = *summary->standard_deviation, variation = deviation / summary->mean;
  const Range chi = chi_squares(summary->n, alpha);
  const double root = std::sqrt(summary->n - 1);
  const double limit = kBadShare * quantile_of(sorted, 0.5);
  const auto bad = std::ranges::count_if(sorted, [limit](double value) { return value < limit; });
  Stability stability{.n = summary->n,
                      .mean = summary->mean,
                      .variation = variation,
                      .variation_range = variation_range(variation, summary->n, chi),
                      .deviation_range = {.low = deviation * root / std::sqrt(chi.high), .high = deviation * root / std::sqrt(chi.low)},
                      .relative_range = (summary->maximum - summary->minimum) / summary->mean,
                      .worst = summary->minimum / summary->mean,
                      .p5 = std::nullopt,
                      .bad = static_cast<int>(bad),
                      .bad_mode_bound = clopper_pearson_upper(static_cast<int>(bad), summary->n, kConfidence).value_or(1)};
  if (summary->n >= kLeastForP5) stability.p5 = quantile_of(sorted, 0.05) / summary->mean;
  return stability;
}

}  // namespace netsettle::strategies
