#include "datasets/store/trial_reading.hpp"

#include <bit>
#include <map>

#include <fmt/format.h>

#include "datasets/store/compression.hpp"

namespace netsettle::datasets {

namespace {

Trial trial_at(const Statement& row) {
  Trial trial;
  trial.id = row.integer(0);
  trial.configuration_id = row.integer(1);
  trial.purpose = static_cast<Purpose>(row.integer(2));
  trial.block = static_cast<int>(row.integer(3));
  trial.position = static_cast<int>(row.integer(4));
  trial.attempt = static_cast<int>(row.integer(5));
  trial.state = static_cast<TrialState>(row.integer(6));
  trial.seed = std::bit_cast<std::uint64_t>(row.integer(7));
  if (!row.is_null(8)) trial.outcome = static_cast<Outcome>(row.integer(8));
  trial.suspect = row.integer(9) != 0;
  trial.started_us = row.integer(10);  // NULL reads as 0: not started
  trial.ended_us = row.integer(11);
  trial.imported_from = row.optional_text(12);
  return trial;
}

/// Finds the trials of rows that come in the order of their ids, as `trials` are.
class Walk {
 public:
  explicit Walk(std::vector<Trial>& trials) : next_(trials.begin()), end_(trials.end()) {}

  Trial* find(std::int64_t id) {
    while (next_ != end_ && next_->id < id) ++next_;
    return next_ == end_ || next_->id != id ? nullptr : &*next_;
  }

 private:
  std::vector<Trial>::iterator next_, end_;
};

Expected<void> add_reasons(const Connection& connection, std::vector<Trial>& trials) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT trial_id, reason, detail FROM trial_reason ORDER BY trial_id, seq"));
  Walk walk(trials);
  return query.for_each([&](const Statement& row) {
    if (Trial* trial = walk.find(row.integer(0))) trial->reasons.push_back({row.text(1), row.text(2)});
  });
}

Expected<std::map<std::int64_t, std::string>> metric_names(const Connection& connection) {
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT metric_id, name FROM metric"));
  std::map<std::int64_t, std::string> names;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) { names.emplace(row.integer(0), row.text(1)); }));
  return names;
}

/// The names are joined here: a long record has millions of these rows.
Expected<void> add_measurements(const Connection& connection, std::vector<Trial>& trials) {
  NETSETTLE_ASSIGN(const auto names, metric_names(connection));
  NETSETTLE_ASSIGN(Statement query, connection.prepare("SELECT trial_id, metric_id, value FROM measurement ORDER BY trial_id, metric_id"));
  Walk walk(trials);
  return query.for_each([&](const Statement& row) {
    const auto name = names.find(row.integer(1));
    if (Trial* trial = walk.find(row.integer(0)); trial != nullptr && name != names.end())
      trial->measurements.emplace(name->second, row.real(2));
  });
}

/// `applied` has the rows of one trial in order, so that a row's index is its number.
Expected<void> add_files(const Connection& connection, std::int64_t trial_id, std::vector<AppliedSetting>& applied) {
  NETSETTLE_ASSIGN(Statement query, connection.query("SELECT seq, path, netns, before, effective FROM applied_file WHERE trial_id = ?1 "
                                                     "ORDER BY seq, ordinal",
                                                     trial_id));
  return query.for_each([&](const Statement& row) {
    const auto seq = static_cast<std::size_t>(row.integer(0));
    if (seq < applied.size())
      applied[seq].files.push_back({.path = row.text(1), .netns = row.text(2), .before = row.text(3), .effective = row.text(4)});
  });
}

}  // namespace

Expected<std::vector<Trial>> read_trials(const Connection& connection, std::int64_t study_id) {
  NETSETTLE_ASSIGN(Statement query,
                   connection.query("SELECT trial_id, configuration_id, purpose, block, position, attempt, state, seed, outcome, suspect, "
                                    "started_us, ended_us, imported_from FROM trial WHERE study_id = ?1 ORDER BY trial_id",
                                    study_id));
  std::vector<Trial> trials;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) { trials.push_back(trial_at(row)); }));
  NETSETTLE_TRY(add_reasons(connection, trials));
  NETSETTLE_TRY(add_measurements(connection, trials));
  return trials;
}

Expected<std::vector<AppliedSetting>> read_applied(const Connection& connection, std::int64_t trial_id) {
  NETSETTLE_ASSIGN(Statement query, connection.query("SELECT setting, target, requested, before, effective, at_end, status, errno "
                                                     "FROM applied WHERE trial_id = ?1 ORDER BY seq",
                                                     trial_id));
  std::vector<AppliedSetting> applied;
  NETSETTLE_TRY(query.for_each([&](const Statement& row) {
    applied.push_back({.setting = row.text(0),
                       .target = row.text(1),
                       .requested = row.text(2),
                       .before = row.text(3),
                       .effective = row.text(4),
                       .at_end = row.text(5),
                       .status = static_cast<SettingStatus>(row.integer(6)),
                       .errno_value = static_cast<int>(row.integer(7))});  // NULL reads as 0: no failure
  }));
  NETSETTLE_TRY(add_files(connection, trial_id, applied));
  return applied;
}

Expected<std::vector<Artifact>> read_artifacts(const Connection& connection, std::int64_t trial_id) {
  NETSETTLE_ASSIGN(Statement query, connection.query("SELECT kind, content, bytes, sha256 FROM artifact WHERE trial_id = ?1 "
                                                     "ORDER BY artifact_id",
                                                     trial_id));
  std::vector<Artifact> artifacts;
  for (;;) {
    NETSETTLE_ASSIGN(const bool row, query.step());
    if (!row) return artifacts;
    auto content = unpack(query.bytes(1), query.integer(2), query.text(3));
    if (!content) {
      content.error().subject = fmt::format("{}, trial {}, {}", connection.file(), trial_id, query.text(0));
      return std::unexpected(std::move(content).error());
    }
    artifacts.push_back({query.text(0), *std::move(content)});
  }
}

}  // namespace netsettle::datasets
