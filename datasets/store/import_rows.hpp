#pragma once
// Trials of another record, taken into this one. Runs inside the caller's transaction on `to`.

#include <string>

#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

/// `from` is opened for reading (open_for_reading), `source` is its name in trial.imported_from.
Expected<ImportedTrials> import_rows(const Connection& from, const Connection& to, std::int64_t study_id, const std::string& source,
                                     RawOutput raw_output, std::int64_t now_us);

}  // namespace netsettle::datasets
