#pragma once
// The study and what belongs to it: host, facts, values as found, parameters, sessions. Each function runs inside the caller's
// transaction.

#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

/// Returns the study's id.
Expected<std::int64_t> insert_study(const Connection& connection, const StudyRecord& study);
Expected<StudyRecord> read_study(const Connection& connection, std::int64_t study_id);

Expected<std::int64_t> insert_session(const Connection& connection, std::int64_t study_id, const SessionInfo& session, std::int64_t now_us);
Expected<std::vector<SessionRecord>> read_sessions(const Connection& connection, std::int64_t study_id);

}  // namespace netsettle::datasets
