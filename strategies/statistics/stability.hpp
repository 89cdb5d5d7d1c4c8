#pragma once
// How steady a configuration is from trial to trial: shown beside its mean. For at least two trials of one configuration, more is better.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct Range {
  double low = 0, high = 0;
};

struct Stability {
  int n = 0;
  double mean = 0;
  double variation = 0;                  // coefficient of variation
  std::optional<Range> variation_range;  // its interval; absent where it has no upper end
  Range deviation_range;                 // interval of the standard deviation, by chi-square; of normal values
  double relative_range = 0;             // (largest - smallest) / mean: grows with n, compare at equal n only
  double worst = 0;                      // smallest / mean
  std::optional<double> p5;              // 5 % quantile / mean; absent below 12 trials
  int bad = 0;                           // trials below 0.75 of the median: a bad mode, where there is one
  double bad_mode_bound = 1;             // upper 95 % bound of the probability of such a trial
};

/// The interval of the coefficient of variation is McKay's as modified by Vangel (1996), for normal values and coefficients below about
/// 1/3; the quantile is interpolated between order statistics (type 7). Both intervals are two-sided at level 1 - 2 alpha.
/// Absent below two values, where the mean is not positive or a value is negative.
std::optional<Stability> stability_of(std::span<const double> values, double alpha = 0.025);

/// What n trials without a bad one say: the probability of a bad trial is below 1 - 0.05^(1/n) with 95 % confidence, about 3 / n ("rule of
/// three"). 1 where n < 1.
double unseen_bound(int n);

}  // namespace netsettle::strategies
