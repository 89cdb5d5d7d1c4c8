#pragma once
// Configurations and their values. Each function runs inside the caller's transaction.

#include <vector>

#include "datasets/model/study_view.hpp"
#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

/// The id of the study's configuration with the same hash, or of a new row.
Expected<std::int64_t> find_or_insert_configuration(const Connection& connection, std::int64_t study_id, const Configuration& configuration,
                                                    std::string_view origin, std::int64_t now_us);

/// Failures: invalid_input for a state that the record does not know, not_found for an unknown configuration.
Expected<void> update_configuration_state(const Connection& connection, std::int64_t configuration_id, std::string_view state,
                                          std::string_view reason);

Expected<std::vector<StudyConfiguration>> read_configurations(const Connection& connection, std::int64_t study_id);

}  // namespace netsettle::datasets
