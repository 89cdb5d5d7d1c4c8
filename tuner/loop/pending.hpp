#pragma once
// What a begun block still needs: planned trials, repeats of invalid ones, and trials that an interruption cut off. A pure function of the
// record, so that a resumed study goes on exactly where it stopped.

#include <optional>
#include <vector>

#include "datasets/model/trial.hpp"

namespace netsettle::tuner {

struct PendingTrial {
  std::optional<std::int64_t> planned_id;  // a row that exists and was never started
  Trial like;                              // configuration, purpose, block, position, seed; `attempt` is the number to run
  std::optional<std::int64_t> retry_of;
};

/// The next trial of the last block, by position; nullopt where the block is complete. Interrupted attempts do not count against
/// `attempts`.
std::optional<PendingTrial> next_pending(const std::vector<Trial>& trials, int attempts);

/// Trials that count against the budget: all but interrupted ones.
int trials_spent(const std::vector<Trial>& trials);

/// Failed or invalid trials since the last measured one.
int consecutive_failures(const std::vector<Trial>& trials);

}  // namespace netsettle::tuner
