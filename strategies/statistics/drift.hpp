#pragma once
// What a machine does to equal trials in the course of hours: a slow trend, or a sudden step. For the series of the baseline, one value a
// trial in the order of time (logarithms, so that changes are relative); for points inside one trial there is change_points.hpp.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace netsettle::strategies {

/// The least-squares line through values at given times.
struct Trend {
  double slope = 0;          // value per unit of time
  double low = 0, high = 0;  // two-sided interval of the slope at level 1 - 2 alpha
  double p = 1;              // two-sided, of the slope
  double residual_spread = 0;
  std::optional<double> residual_autocorrelation;  // lag 1, of neighbours in the series; above 0.3 a line does not describe the drift
};

/// `times` and `values` of the same length. The interval takes residuals as independent: where residual_autocorrelation is large it is too
/// narrow. Absent below three points, where all times are equal or the lengths differ.
std::optional<Trend> linear_trend(std::span<const double> times, std::span<const double> values, double alpha = 0.025);

/// Correlation of neighbours, what autocorrelation() has at lag 1; absent below three points or where all are equal.
std::optional<double> neighbour_correlation(std::span<const double> values);

struct StepOptions {
  double p = 0.001;                // of the t test between the pieces beside a step
  double least_multiple = 2;       // of the noise: smaller steps are no alarm
  std::optional<double> noise;     // standard deviation of equal trials; absent: the spread within the pieces
  std::size_t least_length = 4;    // points in a piece
  std::size_t neighbourhood = 25;  // points on each side that are compared
};

struct Step {
  std::size_t at = 0;            // the first point after it
  double before = 0, after = 0;  // means of the points compared
  double p = 1;
};

/// Sudden changes of the level, in order. E-divisive means (Matteson, James 2014) with alpha = 1: a piece is divided where
/// mn / (m + n) × (2 E|X - Y| - E|X - X'| - E|Y - Y'|) is largest, if a t test (common variance) of the neighbourhoods beside it has at
/// most `p`, and so on in the pieces; the t test instead of permutations and the merging afterwards are those of Hunter (Fleming et al.,
/// ICPE 2023). Then steps that fail the t test, are smaller than least_multiple × noise, or are described no worse by one straight line
/// through both neighbourhoods are taken back, the least significant first. Values must be finite.
std::vector<Step> find_steps(std::span<const double> values, const StepOptions& options = {});

}  // namespace netsettle::strategies
