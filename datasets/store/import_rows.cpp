#include "datasets/store/import_rows.hpp"

#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "datasets/store/configuration_rows.hpp"
#include "datasets/store/metric_rows.hpp"
#include "datasets/store/trial_reading.hpp"
#include "datasets/store/trial_rows.hpp"

namespace netsettle::datasets {

namespace {

/// What only the columns have, not the Trial.
struct TrialColumns {
  std::optional<std::int64_t> retry_of, measure_us, imported_trial;
};

/// A confirmation is of its own study: here its trials are information for the search.
Purpose purpose_here(Purpose there) { return there == Purpose::confirm ? Purpose::search : there; }

class Import {
 public:
  Import(const Connection& from, const Connection& to, std::int64_t study_id, const std::string& source, RawOutput raw_output)
      : from_(from), to_(to), study_id_(study_id), source_(source), raw_output_(raw_output) {}

  Expected<ImportedTrials> run(std::int64_t now_us) {
    NETSETTLE_ASSIGN(const auto from_study, from_.find_integer("SELECT min(study_id) FROM study"));
    if (!from_study) return fail(ErrorCode::io, from_.file(), "has no study: it is damaged");
    NETSETTLE_TRY(take_configurations(*from_study, now_us));
    NETSETTLE_TRY(note_what_is_known());
    NETSETTLE_TRY(read_columns(*from_study));
    NETSETTLE_ASSIGN(const auto trials, read_trials(from_, *from_study));
    for (const Trial& trial : trials)
      if (trial.state == TrialState::done || trial.state == TrialState::failed) NETSETTLE_TRY(take(trial));
    return counts_;
  }

 private:
  /// The same trial in two records: when it ran, and with what.
  using Identity = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint64_t>;

  static Identity identity(const Trial& trial, std::int64_t configuration_id) {
    return {trial.started_us, trial.ended_us, configuration_id, trial.seed};
  }

  Expected<void> take_configurations(std::int64_t from_study, std::int64_t now_us) {
    NETSETTLE_ASSIGN(const auto configurations, read_configurations(from_, from_study));
    for (const StudyConfiguration& configuration : configurations) {
      NETSETTLE_ASSIGN(configurations_[configuration.id],
                       find_or_insert_configuration(to_, study_id_, configuration.configuration, configuration.origin, now_us));
    }
    return {};
  }

  Expected<void> note_what_is_known() {
    NETSETTLE_ASSIGN(const auto last, to_.find_integer("SELECT max(block) FROM trial WHERE study_id = ?1", study_id_));
    block_offset_ = static_cast<int>(last.value_or(0));
    NETSETTLE_ASSIGN(const auto trials, read_trials(to_, study_id_));
    for (const Trial& trial : trials)
      if (trial.started_us != 0) known_.insert(identity(trial, trial.configuration_id));
    return {};
  }

  Expected<void> read_columns(std::int64_t from_study) {
    NETSETTLE_ASSIGN(Statement query,
                     from_.query("SELECT trial_id, retry_of, measure_us, imported_trial FROM trial WHERE study_id = ?1", from_study));
    return query.for_each([&](const Statement& row) {
      columns_[row.integer(0)] = {
          .retry_of = row.optional_integer(1), .measure_us = row.optional_integer(2), .imported_trial = row.optional_integer(3)};
    });
  }

  Expected<void> take(const Trial& trial) {
    const std::int64_t configuration_id = configurations_.at(trial.configuration_id);
    if (trial.started_us != 0 && known_.contains(identity(trial, configuration_id))) {
      ++counts_.known;
      return {};
    }
    const TrialColumns& columns = columns_.at(trial.id);
    const auto retried = columns.retry_of ? numbers_.find(*columns.retry_of) : numbers_.end();
    NETSETTLE_ASSIGN(const std::int64_t id,
                     insert_trial(to_, study_id_,
                                  {.configuration_id = configuration_id,
                                   .purpose = purpose_here(trial.purpose),
                                   .block = block_offset_ + trial.block,
                                   .position = trial.position,
                                   .attempt = trial.attempt,
                                   .retry_of = retried == numbers_.end() ? std::nullopt : std::optional(retried->second),
                                   .seed = trial.seed,
                                   .imported_from = trial.imported_from.value_or(source_),
                                   .imported_trial = trial.imported_from ? columns.imported_trial : std::optional(trial.id)}));
    numbers_[trial.id] = id;
    ++counts_.trials;
    return take_result(trial, columns, id);
  }

  Expected<void> take_result(const Trial& trial, const TrialColumns& columns, std::int64_t id) {
    TrialResult result{.state = trial.state,
                       .verdict = {.outcome = trial.outcome.value_or(Outcome::invalid), .suspect = trial.suspect, .reasons = trial.reasons},
                       .measurements = trial.measurements,
                       .started_us = trial.started_us,
                       .ended_us = trial.ended_us};
    if (!columns.measure_us) return insert_result(to_, id, result, {}, std::nullopt);
    TrialEvidence evidence;
    evidence.measure_s = static_cast<double>(*columns.measure_us) / 1e6;
    NETSETTLE_ASSIGN(evidence.applied, read_applied(from_, trial.id));
    evidence.load.emplace();
    NETSETTLE_ASSIGN(evidence.load->intervals, read_samples(from_, trial.id, "qps"));
    NETSETTLE_ASSIGN(const auto texts, raw_texts(trial.id));
    result.evidence = &evidence;
    return insert_result(to_, id, result, texts, std::nullopt);
  }

  /// As they are stored. The account is small and always taken.
  Expected<std::vector<PackedArtifact>> raw_texts(std::int64_t trial_id) {
    std::vector<PackedArtifact> texts;
    NETSETTLE_ASSIGN(Statement query, from_.query("SELECT kind, content, sha256, bytes FROM artifact WHERE trial_id = ?1 AND "
                                                  "(?2 OR kind = 'account') ORDER BY artifact_id",
                                                  trial_id, raw_output_ == RawOutput::take ? 1 : 0));
    NETSETTLE_TRY(query.for_each([&](const Statement& row) {
      const Bytes content = row.bytes(1);
      texts.push_back({row.text(0), {{content.begin(), content.end()}, row.text(2), row.integer(3)}});
    }));
    return texts;
  }

  const Connection& from_;
  const Connection& to_;
  std::int64_t study_id_;
  const std::string& source_;
  RawOutput raw_output_;
  int block_offset_ = 0;
  std::map<std::int64_t, std::int64_t> configurations_, numbers_;  // there → here
  std::map<std::int64_t, TrialColumns> columns_;
  std::set<Identity> known_;
  ImportedTrials counts_;
};

}  // namespace

Expected<ImportedTrials> import_rows(const Connection& from, const Connection& to, std::int64_t study_id, const std::string& source,
                                     RawOutput raw_output, std::int64_t now_us) {
  return Import(from, to, study_id, source, raw_output).run(now_us);
}

}  // namespace netsettle::datasets
