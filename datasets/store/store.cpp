#include "datasets/store/store.hpp"

#include <chrono>

#include <fmt/format.h>

#include "datasets/store/configuration_rows.hpp"
#include "datasets/store/decision_rows.hpp"
#include "datasets/store/experiment_change.hpp"
#include "datasets/store/import_rows.hpp"
#include "datasets/store/location.hpp"
#include "datasets/store/metric_rows.hpp"
#include "datasets/store/schema.hpp"
#include "datasets/store/store_impl.hpp"
#include "datasets/store/study_rows.hpp"
#include "datasets/store/trial_reading.hpp"
#include "datasets/store/trial_rows.hpp"

namespace netsettle::datasets {

namespace {

/// Only for the record's own notes of when something was written; nothing is decided by it.
std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool may_be_recorded(TrialState state) {
  return state == TrialState::done || state == TrialState::failed || state == TrialState::interrupted;
}

bool may_be_set(TrialState state) { return state != TrialState::planned && state != TrialState::done && state != TrialState::failed; }

}  // namespace

Expected<void> Store::Impl::heartbeat() const {
  return connection.run("UPDATE session SET heartbeat_us = ?2 WHERE session_id = ?1", session_id, now_us());
}

Expected<StudyRecord> Store::study() const {
  return impl_->read([&] { return read_study(impl_->connection, impl_->study_id); });
}

Expected<void> Store::set_status(StudyStatus status) {
  return impl_->write_with_reserve(
      [&] { return impl_->connection.run("UPDATE study SET status = ?2 WHERE study_id = ?1", impl_->study_id, static_cast<int>(status)); });
}

Expected<void> Store::set_until(std::optional<std::int64_t> until_us) {
  return impl_->write(
      [&] { return impl_->connection.run("UPDATE study SET until_us = ?2 WHERE study_id = ?1", impl_->study_id, until_us); });
}

Expected<void> Store::change_experiment(const StudyRecord& study) {
  return impl_->write([&] { return replace_experiment(impl_->connection, impl_->study_id, impl_->session_id, study); });
}

Expected<std::int64_t> Store::begin_session(const SessionInfo& session) {
  NETSETTLE_TRY(impl_->start_writing());  // end_session may have given up lock and WAL
  std::int64_t id = 0;
  NETSETTLE_TRY(impl_->write([&]() -> Expected<void> {
    NETSETTLE_ASSIGN(id, insert_session(impl_->connection, impl_->study_id, session, now_us()));
    return {};
  }));
  impl_->session_id = id;
  return id;
}

Expected<void> Store::end_session(std::string_view reason) {
  NETSETTLE_TRY(impl_->write_with_reserve([&] {
    return impl_->connection.run("UPDATE session SET ended_us = ?2, heartbeat_us = ?2, end_reason = ?3 WHERE session_id = ?1",
                                 impl_->session_id, now_us(), reason);
  }));
  impl_->session_id.reset();
  return impl_->stop_writing();
}

Expected<std::int64_t> Store::add_configuration(const Configuration& configuration, std::string_view origin) {
  std::int64_t id = 0;
  NETSETTLE_TRY(impl_->write([&]() -> Expected<void> {
    NETSETTLE_ASSIGN(id, find_or_insert_configuration(impl_->connection, impl_->study_id, configuration, origin, now_us()));
    return {};
  }));
  return id;
}

Expected<void> Store::set_configuration_state(std::int64_t configuration_id, std::string_view state, std::string_view reason) {
  return impl_->write([&] { return update_configuration_state(impl_->connection, configuration_id, state, reason); });
}

Expected<std::vector<std::int64_t>> Store::plan_trials(const std::vector<PlannedTrial>& trials) {
  std::vector<std::int64_t> ids;
  NETSETTLE_TRY(impl_->write([&]() -> Expected<void> {
    for (const PlannedTrial& trial : trials) {
      NETSETTLE_ASSIGN(const std::int64_t id, insert_trial(impl_->connection, impl_->study_id, trial));
      ids.push_back(id);
    }
    return {};
  }));
  return ids;
}

Expected<std::vector<std::pair<std::int64_t, std::int64_t>>> Store::plan_block(const std::vector<BlockTrial>& trials) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ids;
  NETSETTLE_TRY(impl_->write([&]() -> Expected<void> {
    for (const BlockTrial& trial : trials) {
      PlannedTrial row = trial.trial;
      NETSETTLE_ASSIGN(row.configuration_id,
                       find_or_insert_configuration(impl_->connection, impl_->study_id, trial.configuration, trial.origin, now_us()));
      NETSETTLE_ASSIGN(const std::int64_t id, insert_trial(impl_->connection, impl_->study_id, row));
      ids.emplace_back(id, row.configuration_id);
    }
    return {};
  }));
  return ids;
}

Expected<void> Store::set_trial_state(std::int64_t trial_id, TrialState state) {
  if (!may_be_set(state))
    return fail(ErrorCode::invalid_input, fmt::format("trial {}", trial_id),
                fmt::format("cannot be set to {}: plan_trials and record_trial do that", to_text(state)));
  return impl_->write([&]() -> Expected<void> {
    NETSETTLE_TRY(update_trial_state(impl_->connection, trial_id, state, impl_->session_id));
    return impl_->heartbeat();
  });
}

Expected<void> Store::record_trial(std::int64_t trial_id, const TrialResult& result) {
  if (!may_be_recorded(result.state))
    return fail(ErrorCode::invalid_input, fmt::format("trial {}", trial_id),
                fmt::format("cannot be recorded as {}: it is not over", to_text(result.state)));
  NETSETTLE_ASSIGN(const auto artifacts, pack_artifacts(result));
  return impl_->write_with_reserve([&]() -> Expected<void> {
    NETSETTLE_TRY(insert_result(impl_->connection, trial_id, result, artifacts, impl_->session_id));
    return impl_->heartbeat();
  });
}

Expected<int> Store::interrupt_live_trials() {
  int interrupted = 0;
  NETSETTLE_TRY(impl_->write_with_reserve([&]() -> Expected<void> {
    NETSETTLE_ASSIGN(interrupted, interrupt_live(impl_->connection, impl_->study_id));
    return {};
  }));
  return interrupted;
}

Expected<ImportedTrials> Store::import_trials(const std::filesystem::path& from, RawOutput raw_output) {
  NETSETTLE_TRY(check_file(from));
  NETSETTLE_ASSIGN(const Connection source, open_for_reading(from));
  NETSETTLE_ASSIGN(const Transaction view, Transaction::begin(source, Transaction::Kind::read));
  ImportedTrials imported;
  NETSETTLE_TRY(impl_->write([&]() -> Expected<void> {
    NETSETTLE_ASSIGN(imported, import_rows(source, impl_->connection, impl_->study_id, from.filename().string(), raw_output, now_us()));
    return {};
  }));
  return imported;
}

Expected<std::int64_t> Store::add_decision(const Decision& decision) {
  std::int64_t id = 0;
  NETSETTLE_TRY(impl_->write([&]() -> Expected<void> {
    NETSETTLE_ASSIGN(id, insert_decision(impl_->connection, impl_->study_id, decision));
    return {};
  }));
  return id;
}

Expected<void> Store::add_decisions(std::vector<Decision>& decisions) {
  return impl_->write([&]() -> Expected<void> {
    for (Decision& decision : decisions) {
      NETSETTLE_ASSIGN(decision.id, insert_decision(impl_->connection, impl_->study_id, decision));
    }
    return {};
  });
}

Expected<void> Store::add_bundle(std::int64_t configuration_id, std::string_view format, std::string_view content) {
  return impl_->write([&] { return insert_bundle(impl_->connection, impl_->study_id, configuration_id, format, content, now_us()); });
}

Expected<std::vector<SessionRecord>> Store::sessions() const {
  return impl_->read([&] { return read_sessions(impl_->connection, impl_->study_id); });
}

Expected<std::vector<StudyConfiguration>> Store::configurations() const {
  return impl_->read([&] { return read_configurations(impl_->connection, impl_->study_id); });
}

Expected<std::vector<Trial>> Store::trials() const {
  return impl_->read([&] { return read_trials(impl_->connection, impl_->study_id); });
}

Expected<std::vector<Decision>> Store::decisions() const {
  return impl_->read([&] { return read_decisions(impl_->connection, impl_->study_id); });
}

Expected<std::vector<AppliedSetting>> Store::applied(std::int64_t trial_id) const {
  return impl_->read([&] { return read_applied(impl_->connection, trial_id); });
}

Expected<std::vector<Artifact>> Store::artifacts(std::int64_t trial_id) const {
  return impl_->read([&] { return read_artifacts(impl_->connection, trial_id); });
}

Expected<std::vector<Interval>> Store::samples(std::int64_t trial_id, std::string_view metric) const {
  return impl_->read([&] { return read_samples(impl_->connection, trial_id, metric); });
}

}  // namespace netsettle::datasets
