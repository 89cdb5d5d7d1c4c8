#pragma once
// Trials: planning, states, and what one trial left behind. Each function runs inside the caller's transaction.

#include <vector>

#include "datasets/store/compression.hpp"
#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

/// One raw output, compressed before the transaction so that the database is locked only while rows are written.
struct PackedArtifact {
  std::string kind;
  PackedText text;
};
Expected<std::vector<PackedArtifact>> pack_artifacts(const TrialResult& result);

/// Failure: conflict where block, position and attempt are taken; invalid_input for an unknown configuration or trial.
Expected<std::int64_t> insert_trial(const Connection& connection, std::int64_t study_id, const PlannedTrial& trial);

/// Moves a trial that is not recorded yet. Failures: not_found; conflict where it is recorded already or another trial is live.
Expected<void> update_trial_state(const Connection& connection, std::int64_t trial_id, TrialState state,
                                  std::optional<std::int64_t> session_id);

/// Everything of a finished trial. Failures as update_trial_state.
Expected<void> insert_result(const Connection& connection, std::int64_t trial_id, const TrialResult& result,
                             const std::vector<PackedArtifact>& artifacts, std::optional<std::int64_t> session_id);

/// Live trials (applying, warmup, measuring) become interrupted, with that reason; planned ones stay planned. Returns their number.
Expected<int> interrupt_live(const Connection& connection, std::int64_t study_id);

}  // namespace netsettle::datasets
