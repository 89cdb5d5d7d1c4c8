#pragma once
// A study that goes on under another budget or in a wider space. Private to datasets/store.

#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

Expected<void> replace_experiment(const Connection& connection, std::int64_t study_id, std::optional<std::int64_t> session_id,
                                  const StudyRecord& study);

}  // namespace netsettle::datasets
