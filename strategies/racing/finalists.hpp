#pragma once
// Who meets the baseline in the confirmation, and by which tests: all of it is written down before the first fresh trial.

#include <vector>

#include "strategies/racing/next_step.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {

/// The error of the claim "best of the finalists" (docs/decisions/0005-several-finalists.md): Kim and Nelson's procedure.
inline constexpr double kSelectionAlpha = 0.0125;
/// Of all further confirmations of a study together; the first of them has half of it, each other half of the one before.
inline constexpr double kFurtherAlpha = 0.0125;

/// One `promote` decision for each finalist, the best of the search first: the test against the baseline (paired t on logarithms over `n`
/// blocks, alpha over the number of finalists) and, where there are several, the procedure that eliminates.
/// At most plan.finalists of those that can lead, fewer where `affordable` trials do not give six blocks to all of them; none where they
/// do not give them to one, or where nobody can lead. Fewer finalists get more blocks.
std::vector<Decision> promotions(const StudyView& study, const Standings& standings, const PhasePlan& plan, int affordable);

/// Those that can be confirmed, the best of the search first: without those that an earlier confirmation found to be unstable or failing.
std::vector<Standing> candidates_of(const StudyView& study, const Standings& standings);

}  // namespace netsettle::strategies
