#pragma once
// The record: one SQLite file a study (docs/database.md). One writer, many readers; every trial is committed before
// anything else happens. Nothing here decides anything. A Store is used from one thread.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/model/study_view.hpp"

namespace netsettle::datasets {

enum class StudyStatus { fresh = 1, running = 2, paused = 3, converged = 4, exhausted = 5, aborted = 6 };
std::string_view to_text(StudyStatus status);

/// What the experiment file says about a parameter beyond its domain; kept for people who query the record.
struct ParameterSource {
  ParameterType type = ParameterType::integer;
  std::vector<std::string> sets;
  std::optional<std::string> active_if;  // the text of `when`
  std::optional<Value> default_value;
  bool operator==(const ParameterSource&) const = default;
};

/// The study row and what belongs to it; everything a resume compares.
struct StudyRecord {
  std::string name;
  std::string spec_file;               // where the experiment file was
  std::string spec_text;               // its bytes
  std::vector<std::string> overrides;  // "--set" texts, in order
  std::string spec_hash;               // experiment_hash
  std::string space_hash;
  std::string workload_hash;  // SHA-256 of the query file and the load section
  std::uint64_t seed = 0;
  std::optional<std::int64_t> until_us;
  std::optional<std::string> parent_record;  // the record that this study took as prior information
  StudyStatus status = StudyStatus::fresh;
  std::int64_t created_us = 0;
  Facts facts;  // the facts the space was resolved with
  AsFoundValues as_found;
  std::string host_fingerprint;                              // SHA-256 over the identifying facts
  std::string host_facts_json;                               // kernel, cpu model, interface, server binary, tool versions, …
  std::vector<std::pair<std::string, std::string>> dropped;  // parameter, reason
  std::string objective_json = R"({"maximize":"qps"})";      // the objective; the views rank by its "maximize"
  std::vector<Domain> domains;                               // of the space, in its order
  std::map<std::string, ParameterSource> sources;            // by parameter; dropped ones too
};

/// Fills objective_json, domains and sources.
void describe_space(const Experiment& experiment, const SearchSpace& space, StudyRecord& study);

struct SessionInfo {
  std::string boot_id;
  std::int64_t pid = 0;
  std::int64_t pid_start = 0;  // field 22 of /proc/PID/stat
  std::string tool_version;
  std::vector<std::string> argv;
};

struct PlannedTrial {
  std::int64_t configuration_id = 0;
  Purpose purpose = Purpose::search;
  int block = 0;
  int position = 0;
  int attempt = 1;
  std::optional<std::int64_t> retry_of;
  std::uint64_t seed = 0;
  std::optional<std::string> imported_from;    // a record or file that it was measured for; absent: this study measures it
  std::optional<std::int64_t> imported_trial;  // its number there
};

/// A trial of a new block: its configuration may be new, too.
struct BlockTrial {
  Configuration configuration;
  std::string origin;
  PlannedTrial trial;  // configuration_id is filled in
};

/// What record_trial commits in one transaction.
struct TrialResult {
  TrialState state = TrialState::done;  // done, failed (configuration failed) or interrupted
  Verdict verdict;
  Measurements measurements;
  const TrialEvidence* evidence = nullptr;
  std::int64_t started_us = 0, ended_us = 0;
};

/// Raw output (zstd) is most of a record.
enum class RawOutput { leave, take };

struct ImportedTrials {
  std::int64_t trials = 0;
  std::int64_t known = 0;  // were here already
};

/// One run of the program. The last one without an end is running, or was cut off: pid, start and boot say which.
struct SessionRecord {
  std::int64_t id = 0;
  SessionInfo info;
  std::int64_t started_us = 0, heartbeat_us = 0;
  std::optional<std::int64_t> ended_us;
  std::string end_reason;
};

class Store {
 public:
  /// Makes a new record; fails with conflict where `path` exists. Refuses network file systems (unsupported). Reserves `reserve_bytes`
  /// in "PATH.reserve", which is given up when the disk is full so that what was measured can still be committed.
  static Expected<Store> create(const std::filesystem::path& path, const StudyRecord& study, std::int64_t reserve_bytes = 4 << 20);
  /// Opens to continue. not_found; mismatch where it is no netsettle record or a newer one.
  static Expected<Store> open_writer(const std::filesystem::path& path);
  static Expected<Store> open_reader(const std::filesystem::path& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  Expected<StudyRecord> study() const;
  Expected<void> set_status(StudyStatus status);
  Expected<void> set_until(std::optional<std::int64_t> until_us);
  /// The study goes on under another budget or in a wider space: replaces experiment, hashes and parameters by those of `study`. What they
  /// were is kept in `meta`.
  Expected<void> change_experiment(const StudyRecord& study);

  Expected<std::int64_t> begin_session(const SessionInfo& session);
  Expected<void> end_session(std::string_view reason);  // checkpoints the WAL and leaves DELETE mode: one file to copy

  /// The id of an equal configuration that exists, or a new one. Ids start with 1.
  Expected<std::int64_t> add_configuration(const Configuration& configuration, std::string_view origin);
  Expected<void> set_configuration_state(std::int64_t configuration_id, std::string_view state, std::string_view reason);

  /// All trials of a block in one transaction, in state planned; returns their ids.
  Expected<std::vector<std::int64_t>> plan_trials(const std::vector<PlannedTrial>& trials);
  /// plan_trials with the configurations that they need, all in one transaction. Returns trials with their configurations.
  Expected<std::vector<std::pair<std::int64_t, std::int64_t>>> plan_block(const std::vector<BlockTrial>& trials);
  Expected<void> set_trial_state(std::int64_t trial_id, TrialState state);
  /// One transaction: outcome, reasons, settings, measurements, samples, raw output (zstd). A full disk gives up the reserve and
  /// tries once more; failure disk_full then means that nothing of this trial is in the record, and all earlier ones are.
  Expected<void> record_trial(std::int64_t trial_id, const TrialResult& result);
  /// Trials that were live when a run died become interrupted; returns their number.
  Expected<int> interrupt_live_trials();

  /// Takes the finished trials of another record, in one transaction: configurations that are here already are found, blocks and trials get
  /// new numbers, each trial says where it is from (Trial::imported_from), one that is here already is left out. Decisions stay there: they
  /// were made on its trials alone.
  Expected<ImportedTrials> import_trials(const std::filesystem::path& from, RawOutput raw_output);

  Expected<std::int64_t> add_decision(const Decision& decision);
  /// All in one transaction; fills their ids.
  Expected<void> add_decisions(std::vector<Decision>& decisions);
  Expected<void> add_bundle(std::int64_t configuration_id, std::string_view format, std::string_view content);

  Expected<std::vector<SessionRecord>> sessions() const;  // by id
  Expected<std::vector<StudyConfiguration>> configurations() const;
  Expected<std::vector<Trial>> trials() const;
  Expected<std::vector<Decision>> decisions() const;
  Expected<std::vector<AppliedSetting>> applied(std::int64_t trial_id) const;
  Expected<std::vector<Artifact>> artifacts(std::int64_t trial_id) const;  // decompressed
  /// Per-interval series of a trial: metric name → (milliseconds, value).
  Expected<std::vector<Interval>> samples(std::int64_t trial_id, std::string_view metric) const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace netsettle::datasets
