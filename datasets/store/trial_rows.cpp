#include "datasets/store/trial_rows.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "datasets/store/metric_rows.hpp"

namespace netsettle::datasets {

namespace {

constexpr std::string_view kInterrupted = "the run ended before this trial was recorded";

bool is_recorded(std::int64_t state) { return state >= static_cast<int>(TrialState::done); }

/// Failures: not_found; conflict where the trial is recorded already: a recorded trial never changes.
Expected<void> check_open(const Connection& connection, std::int64_t trial_id) {
  NETSETTLE_ASSIGN(const auto state, connection.find_integer("SELECT state FROM trial WHERE trial_id = ?1", trial_id));
  const std::string subject = fmt::format("trial {}", trial_id);
  if (!state) return fail(ErrorCode::not_found, subject, "is not in the record");
  if (is_recorded(*state))
    return fail(ErrorCode::conflict, subject, fmt::format("is recorded already ({})", to_text(static_cast<TrialState>(*state))));
  return {};
}

std::optional<std::int64_t> instant(std::int64_t us) { return us == 0 ? std::nullopt : std::optional(us); }

std::optional<std::int64_t> measured_us(const TrialResult& result) {
  if (result.evidence == nullptr) return std::nullopt;
  return std::llround(result.evidence->measure_s * 1e6);
}

Expected<void> update_trial(const Connection& connection, std::int64_t trial_id, const TrialResult& result,
                            std::optional<std::int64_t> session_id) {
  const bool judged = result.state != TrialState::interrupted;
  return connection.run(
      "UPDATE trial SET state = ?2, outcome = ?3, suspect = ?4, started_us = ?5, ended_us = ?6, measure_us = ?7, "
      "session_id = coalesce(?8, session_id) WHERE trial_id = ?1",
      trial_id, static_cast<int>(result.state), judged ? std::optional(static_cast<int>(result.verdict.outcome)) : std::nullopt,
      result.verdict.suspect ? 1 : 0, instant(result.started_us), instant(result.ended_us), measured_us(result), session_id);
}

Expected<void> insert_reasons(const Connection& connection, std::int64_t trial_id, const std::vector<Reason>& reasons) {
  NETSETTLE_ASSIGN(Statement insert, connection.prepare("INSERT INTO trial_reason VALUES (?1, ?2, ?3, ?4)"));
  int seq = 0;
  for (const Reason& reason : reasons) {
    insert.bind(trial_id, seq++, reason.code, reason.detail);
    NETSETTLE_TRY(insert.finish());
  }
  return {};
}

Expected<void> insert_applied_files(Statement& insert, std::int64_t trial_id, int seq, const std::vector<AppliedFile>& files) {
  int ordinal = 0;
  for (const AppliedFile& file : files) {
    insert.bind(trial_id, seq, ordinal++, file.path, file.netns, file.before, file.effective);
    NETSETTLE_TRY(insert.finish());
  }
  return {};
}

Expected<void> insert_applied(const Connection& connection, std::int64_t trial_id, const std::vector<AppliedSetting>& applied) {
  NETSETTLE_ASSIGN(Statement insert,
                   connection.prepare("INSERT INTO applied (trial_id, seq, host_id, setting, target, requested, before, effective, at_end, "
                                      "status, errno) VALUES (?1, ?2, (SELECT h.host_id FROM study_host h JOIN trial t USING (study_id) "
                                      "JOIN host_role r ON r.value = h.role WHERE t.trial_id = ?1 AND h.ordinal = 0 AND r.name = "
                                      "iif(?3 GLOB 'client.*', 'client', 'server')), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"));
  NETSETTLE_ASSIGN(Statement insert_file, connection.prepare("INSERT INTO applied_file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"));
  int seq = 0;
  for (const AppliedSetting& setting : applied) {
    insert.bind(trial_id, seq, setting.setting, setting.target, setting.requested, setting.before, setting.effective, setting.at_end,
                static_cast<int>(setting.status), setting.errno_value == 0 ? std::nullopt : std::optional(setting.errno_value));
    NETSETTLE_TRY(insert.finish());
    NETSETTLE_TRY(insert_applied_files(insert_file, trial_id, seq++, setting.files));
  }
  return {};
}

Expected<void> insert_artifacts(const Connection& connection, std::int64_t trial_id, const std::vector<PackedArtifact>& artifacts) {
  NETSETTLE_ASSIGN(Statement insert, connection.prepare("INSERT INTO artifact (trial_id, kind, codec, sha256, bytes, content) "
                                                        "VALUES (?1, ?2, 'zstd', ?3, ?4, ?5)"));
  for (const PackedArtifact& artifact : artifacts) {
    insert.bind(trial_id, artifact.kind, artifact.text.sha256, artifact.text.bytes, Bytes(artifact.text.content));
    NETSETTLE_TRY(insert.finish());
  }
  return {};
}

}  // namespace

Expected<std::vector<PackedArtifact>> pack_artifacts(const TrialResult& result) {
  std::vector<PackedArtifact> packed;
  if (result.evidence == nullptr) return packed;
  for (const Artifact& artifact : result.evidence->artifacts) {
    NETSETTLE_ASSIGN(PackedText text, pack(artifact.content));
    packed.push_back({artifact.kind, std::move(text)});
  }
  return packed;
}

Expected<std::int64_t> insert_trial(const Connection& connection, std::int64_t study_id, const PlannedTrial& trial) {
  auto id = connection.insert(
      "INSERT INTO trial (study_id, configuration_id, purpose, block, position, attempt, retry_of, state, suspect, seed, imported_from, "
      "imported_trial) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, ?11)",
      study_id, trial.configuration_id, static_cast<int>(trial.purpose), trial.block, trial.position, trial.attempt, trial.retry_of,
      static_cast<int>(TrialState::planned), std::bit_cast<std::int64_t>(trial.seed), trial.imported_from, trial.imported_trial);
  if (!id && id.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, fmt::format("block {}, position {}, attempt {}", trial.block, trial.position, trial.attempt),
                "is in the record already");
  return id;
}

Expected<void> update_trial_state(const Connection& connection, std::int64_t trial_id, TrialState state,
                                  std::optional<std::int64_t> session_id) {
  NETSETTLE_TRY(check_open(connection, trial_id));
  auto updated = connection.run("UPDATE trial SET state = ?2, session_id = coalesce(?3, session_id) WHERE trial_id = ?1", trial_id,
                                static_cast<int>(state), session_id);
  if (!updated && updated.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, fmt::format("trial {}", trial_id), "cannot start: another trial of the study is live");
  return updated;
}

Expected<void> insert_result(const Connection& connection, std::int64_t trial_id, const TrialResult& result,
                             const std::vector<PackedArtifact>& artifacts, std::optional<std::int64_t> session_id) {
  NETSETTLE_TRY(check_open(connection, trial_id));
  NETSETTLE_TRY(update_trial(connection, trial_id, result, session_id));
  NETSETTLE_TRY(insert_reasons(connection, trial_id, result.verdict.reasons));
  NETSETTLE_TRY(insert_measurements(connection, trial_id, result.measurements));
  if (result.evidence == nullptr) return {};
  NETSETTLE_TRY(insert_applied(connection, trial_id, result.evidence->applied));
  if (result.evidence->load) {
    NETSETTLE_TRY(insert_samples(connection, trial_id, "qps", result.evidence->load->intervals));
  }
  return insert_artifacts(connection, trial_id, artifacts);
}

Expected<int> interrupt_live(const Connection& connection, std::int64_t study_id) {
  constexpr std::string_view kLive = "SELECT trial_id FROM trial WHERE study_id = ?1 AND state IN (2, 3, 4)";
  NETSETTLE_TRY(connection.run(fmt::format("INSERT INTO trial_reason SELECT trial_id, 0, 'interrupted', ?2 FROM ({})", kLive), study_id,
                               kInterrupted));
  NETSETTLE_TRY(connection.run("UPDATE trial SET state = ?2 WHERE study_id = ?1 AND state IN (2, 3, 4)", study_id,
                               static_cast<int>(TrialState::interrupted)));
  return connection.changes();
}

}  // namespace netsettle::datasets
