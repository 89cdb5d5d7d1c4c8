#pragma once
// Decisions and bundles. Each function runs inside the caller's transaction.

#include <vector>

#include "datasets/model/decision.hpp"
#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

Expected<std::int64_t> insert_decision(const Connection& connection, std::int64_t study_id, const Decision& decision);
Expected<std::vector<Decision>> read_decisions(const Connection& connection, std::int64_t study_id);

Expected<void> insert_bundle(const Connection& connection, std::int64_t study_id, std::int64_t configuration_id, std::string_view format,
                             std::string_view content, std::int64_t now_us);

}  // namespace netsettle::datasets
