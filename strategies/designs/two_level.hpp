#pragma once
// Plackett-Burman plans: which of many two-level factors matter, from few runs.

#include <cstddef>
#include <vector>

namespace netsettle::strategies {

/// One row a run, one column a factor; true is the high level.
using TwoLevelPlan = std::vector<std::vector<bool>>;

/// The plan of Plackett & Burman (1946) for `factors` ≥ 1: q + 1 runs, q the smallest prime ≥ factors that leaves 3 when divided by 4
/// (11 factors 12 runs, 19 20, 23 24, 31 32, …). Each row is the one before moved by one place; the generator has a high level where the
/// place is a square modulo q (Paley's construction, which gives their published generators); the last row is all low. Columns are
/// balanced and orthogonal, so that each main effect is estimated from all runs, but two-factor interactions are mixed into it.
TwoLevelPlan plackett_burman(std::size_t factors);

/// Each run followed by its mirror image (all levels exchanged): main effects are then free of two-factor interactions (Box & Wilson 1951).
TwoLevelPlan folded_over(const TwoLevelPlan& plan);

}  // namespace netsettle::strategies
