#pragma once
// The parameter table: domains with their numbers, what each parameter sets, and dropped ones with the reason. Each function runs
// inside the caller's transaction.

#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

/// Rows for study.domains in their order, then for dropped parameters that have no domain.
Expected<void> insert_parameters(const Connection& connection, std::int64_t study_id, const StudyRecord& study);

/// Fills study.domains, study.sources and study.dropped.
Expected<void> read_parameters(const Connection& connection, std::int64_t study_id, StudyRecord& study);

}  // namespace netsettle::datasets
