#pragma once
// The pilot: trials of the baseline alone (an A/A test), and what they say about the machine.

#include "strategies/racing/next_step.hpp"

namespace netsettle::strategies {

/// The decision that closes the pilot: method "a-a-pilot", n measured trials, effect = the difference that `confirmation_blocks` can prove
/// where each finalist is tested at `alpha`.
Decision pilot_decision(const StudyView& study, int confirmation_blocks, double alpha);

/// delta of statistics.md: max(min_effect, what the pilot's noise lets the confirmation prove).
double indifference(const StudyView& study);

/// The last decision of a kind, nullptr where there is none.
const Decision* last_decision(const StudyView& study, DecisionKind kind);

/// The one-sided error of the claim "beats the baseline" of a first confirmation, all finalists together
/// (docs/decisions/0005-several-finalists.md).
inline constexpr double kAlpha = 0.025;

}  // namespace netsettle::strategies
