#pragma once
// From the record to the final decision: what is claimed, what is handed over, and the sentence that says it.

#include <map>
#include <optional>
#include <string>

#include "strategies/racing/belief.hpp"
#include "strategies/racing/confirmation.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/racing/race.hpp"

namespace netsettle::strategies {

/// Why the study ends as it does. The texts are stored: append-only.
enum class Ground {
  proven,        // the leader's interval of the fresh blocks is above zero
  ruled_out,     // the upper ends of all that could win are below delta
  negligible,    // and the leader's whole interval lies between zero and min_effect
  not_proven,    // neither
  too_few,       // fewer than six complete blocks
  obstacle,      // no finalist could win: the leader failed or violates subject_to in the fresh trials
  unstable,      // no finalist could win: the leader is unstable
  no_room,       // budget or clock left no room for six fresh blocks
  no_candidate,  // the search found nothing that could be confirmed
  no_baseline,   // the machine as it was found could not be measured
  stopped        // it was ended by request before its confirmation was complete
};
std::string_view to_text(Ground ground);

struct Ruling {
  Ground ground = Ground::not_proven;
  std::int64_t leader_id = kBaselineId;  // the one that the verdict speaks of
  std::optional<Confirmation> confirmation;
  std::map<std::int64_t, FinalBelief> beliefs;  // of the finalists, or of the leader alone
  std::optional<BestOfFinalists> best;          // of a proven leader that is it
  std::optional<std::int64_t> instead_id;       // where no finalist could win: the best of the others that the search believes in
  std::optional<std::int64_t> smallest_id;      // a smaller change that is as good as a proven leader

  /// P(leader is better than the baseline) by everything measured.
  std::optional<double> posterior() const;
};

/// Whether nothing that the fresh trials showed keeps the finalist from winning.
bool could_win(const Finalist& finalist);

/// By the confirmation's fresh blocks; the tests, their level and n were fixed by the promote decisions. The leader is the proven one with
/// the best belief; else the best belief of those that could win; else the search's best.
Ruling rule_confirmed(const StudyView& study, const Confirmation& confirmation, SurrogateMemory* memory = nullptr);
/// Where there is no confirmation: no_room, no_candidate, no_baseline or stopped.
Ruling rule_unconfirmed(const StudyView& study, Ground ground, SurrogateMemory* memory = nullptr);

VerdictKind kind_of(Ground ground);

/// The winner; else the baseline, unless the leader is better with posterior probability of at least 95 %, measured better in the fresh
/// blocks, and nothing stands against it. Where no finalist could win, the most promising other configuration that the search believes to
/// be better with that probability.
std::int64_t handed_over(const Ruling& ruling);

/// The verdict sentence.
std::string statement_of(const StudyView& study, const Ruling& ruling);

/// The final decision, with everything from which it can be recomputed.
Decision final_decision(const StudyView& study, const Ruling& ruling);

/// final_decision; but where a study that already had a winner went on and proved nothing else, that winner stays.
Decision conclusion(const StudyView& study, const Ruling& ruling);

}  // namespace netsettle::strategies
