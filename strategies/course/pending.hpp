#pragma once
// What begun blocks still need: planned trials, repeats of invalid ones, and trials that an interruption cut off. A pure function of the
// record, so that a resumed study goes on exactly where it stopped.

#include <optional>
#include <set>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

/// Which trials are run again.
struct RetryRule {
  int attempts = 2;            // of one place, interrupted ones not counted
  bool repeats_failed = true;  // invalid ones are repeated in any case
};

/// trial.attempts; where another program runs the trials, its word that a configuration fails is taken.
RetryRule retry_rule(const Experiment& experiment);

struct PendingTrial {
  std::optional<std::int64_t> planned_id;  // a row that exists and was never started
  Trial like;                              // configuration, purpose, block, position, seed; `attempt` is the number to run
  std::optional<std::int64_t> retry_of;
};

/// The next trial of the begun blocks, by block and position; nullopt where they are complete or everything that is missing is `out` (being
/// run). Begun are the last block and those of the same purpose that directly precede it. `room`: trials that the budget still has for
/// repeats (absent: no limit); what was cut off is repeated in any case.
std::optional<PendingTrial> next_pending(const std::vector<Trial>& trials, const RetryRule& rule, const std::set<std::int64_t>& out,
                                         std::optional<int> room);

/// Part of the course of the study, not a person's own trial or another record's.
bool belongs_to_course(const Trial& trial);

/// Trials that count against the budget: all but interrupted ones, those that a person asked for and those of another record.
int trials_spent(const std::vector<Trial>& trials);

/// Failed or invalid trials since the last measured one.
int consecutive_failures(const std::vector<Trial>& trials);

}  // namespace netsettle::strategies
