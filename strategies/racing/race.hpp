#pragma once
// Who leaves the confirmation before its end. Looked at after every complete block; each leaving is a decision with its reason.

#include <vector>

#include "strategies/racing/confirmation.hpp"

namespace netsettle::strategies {

/// The finalists that leave now, empty where nobody does:
/// - at once: a finalist of which a fresh trial failed (`eliminate`, "failed-trial");
/// - where another one would eliminate somebody, and when the last block is complete: one that is unstable (`unstable`) or violates
///   subject_to (`eliminate`, "subject-to"), so that it neither wins nor keeps others from winning;
/// - then those that the selection eliminates (`eliminate`, "kim-nelson").
std::vector<Decision> leaving(const StudyView& study, const Confirmation& confirmation);

/// "Best of the finalists" as far as the fresh blocks show it.
struct BestOfFinalists {
  std::int64_t id = 0;
  double delta = 0;       // relative: no other finalist is better by more
  bool achieved = false;  // delta is what the blocks reached, not what was planned
  double alpha = 0;
  int compared = 0;  // finalists, this one included, without those that left for a reason of their own
};
/// Absent where the confirmation may not claim it, fewer than two are left to compare, or no difference can be stated.
std::optional<BestOfFinalists> best_of_finalists(const Experiment& experiment, const Confirmation& confirmation);

}  // namespace netsettle::strategies
