#pragma once
// Trials and what they left behind, as read from the record. Each function runs inside the caller's transaction.

#include <vector>

#include "datasets/model/trial.hpp"
#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

/// In the order of the record (by id).
Expected<std::vector<Trial>> read_trials(const Connection& connection, std::int64_t study_id);
Expected<std::vector<AppliedSetting>> read_applied(const Connection& connection, std::int64_t trial_id);
/// Decompressed. Failure: io where one is damaged.
Expected<std::vector<Artifact>> read_artifacts(const Connection& connection, std::int64_t trial_id);

}  // namespace netsettle::datasets
