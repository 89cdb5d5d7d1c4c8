#pragma once
// Bounds of probabilities that were counted: error rates over simulated studies.

#include <optional>

namespace netsettle::strategies {

/// Clopper-Pearson: the one-sided upper bound of a probability at which `events` of `n` were seen (quantile `confidence` of
/// Beta(events + 1, n - events)); 1 where all were. Absent where n < 1 or events is outside 0..n.
std::optional<double> clopper_pearson_upper(int events, int n, double confidence);

}  // namespace netsettle::strategies
