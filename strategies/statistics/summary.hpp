#pragma once
// Plain summaries of repeated trials. Not for series inside one trial: the trial is the unit of inference.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct Summary {
  int n = 0;
  double mean = 0, minimum = 0, maximum = 0;
  std::optional<double> standard_deviation;  // of the sample (n - 1); absent below two values
};

/// nullopt for an empty span. Running mean and variance (Welford 1962), so that large values with little spread lose no digits.
std::optional<Summary> summarise_values(std::span<const double> values);

/// Standard deviation / mean; absent below two values or where the mean is not positive.
std::optional<double> coefficient_of_variation(const Summary& summary);

/// The standard deviation common to several groups with means of their own (sum of squares within / sum of n - 1); absent where
/// no group has two values.
std::optional<double> pooled_standard_deviation(std::span<const Summary> groups);

}  // namespace netsettle::strategies
