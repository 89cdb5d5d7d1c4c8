#pragma once
// From the record to the final decision: what is claimed, what is handed over, and the sentence that says it.

#include <optional>
#include <string>

#include "strategies/racing/confirmation.hpp"
#include "strategies/racing/next_step.hpp"

namespace netsettle::strategies {

/// Why the study ends as it does. The texts are stored: append-only.
enum class Ground {
  proven,      // the interval of the fresh blocks is above zero
  ruled_out,   // its upper end is below delta
  negligible,  // its upper end is below min_effect, although above zero throughout
  not_proven,  // neither
  too_few,     // fewer than six complete blocks
  obstacle,    // the leader failed or violates subject_to in the fresh trials
  unstable,
  no_room,       // budget or clock left no room for six fresh blocks
  no_candidate,  // the search found nothing that could be confirmed
  no_baseline,   // the machine as it was found could not be measured
  stopped        // it was ended by request before its confirmation was complete
};
std::string_view to_text(Ground ground);

struct Ruling {
  Ground ground = Ground::not_proven;
  std::int64_t leader_id = kBaselineId;
  std::optional<Confirmation> confirmation;
  std::optional<double> posterior;  // P(leader is better than the baseline) by everything measured
};

/// By the confirmation's fresh blocks; the test, its level and n were fixed by the promote decision.
Ruling rule_confirmed(const StudyView& study, const Confirmation& confirmation);
/// Where there is no confirmation: no_room, no_candidate, no_baseline or stopped.
Ruling rule_unconfirmed(const StudyView& study, Ground ground);

VerdictKind kind_of(Ground ground);

/// The winner; else the baseline, unless the leader is better with posterior probability of at least 95 % and nothing stands against it.
std::int64_t handed_over(const Ruling& ruling);

/// The verdict sentence.
std::string statement_of(const StudyView& study, const Ruling& ruling);

/// The final decision, with everything from which it can be recomputed.
Decision final_decision(const StudyView& study, const Ruling& ruling);

/// final_decision; but where a study that already had a winner went on and proved nothing else, that winner stays.
Decision conclusion(const StudyView& study, const Ruling& ruling);

}  // namespace netsettle::strategies
