#include "tuner/loop/ask_tell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runners/settings/guard.hpp"
#include "runners/settings/process_identity.hpp"
#include "tuner/loop/external.hpp"
#include "tuner/loop/prior.hpp"
#include "tuner/loop/record_check.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {
namespace {

datasets::StudyRecord new_record(const Experiment& experiment, const ResolvedSpace& resolved, const AskTellOptions& options,
                                 std::int64_t now_us) {
  const Machine machine = external_machine();
  datasets::StudyRecord record;
  record.name = experiment.study.name;
  record.spec_file = std::filesystem::absolute(experiment.file);
  record.spec_text = experiment.text;
  record.overrides = options.overrides;
  record.spec_hash = experiment_hash(experiment);
  record.space_hash = resolved.space.hash();
  record.workload_hash = machine.workload_hash;
  record.seed = experiment.study.seed;
  record.created_us = now_us;
  record.host_fingerprint = runners::fingerprint(machine.facts);
  record.host_facts_json = "{}";
  datasets::describe_space(experiment, resolved.space, record);
  return record;
}

/// Metrics that subject_to needs and that were not told.
std::vector<std::string> missing_metrics(const Experiment& experiment, const Tell& told) {
  std::vector<std::string> missing;
  for (const Expression& limit : experiment.objective.subject_to)
    for (const std::string& name : limit.names())
      if (name != "value" && !told.metrics.contains(name) && std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
  return missing;
}

Expected<datasets::Store> create_store(const datasets::StudyRecord& record, const SearchSpace& space, const AskTellOptions& options,
                                       std::string& note) {
  if (!options.import_from) return datasets::Store::create(options.database, record);
  NETSETTLE_ASSIGN(const PriorTrials prior, create_with_prior(options.database, record, space, *options.import_from));
  note = to_text(prior, *options.import_from);
  return datasets::Store::open_writer(options.database);
}

Expected<datasets::Store> continue_store(const SearchSpace& space, const AskTellOptions& options, std::string& note) {
  if (options.import_from) NETSETTLE_TRY(check_prior(options.database, *options.import_from));
  NETSETTLE_ASSIGN(auto store, datasets::Store::open_writer(options.database));
  NETSETTLE_ASSIGN(const auto trials, store.trials());
  const auto ended = std::ranges::count_if(trials, [](const Trial& trial) { return trial.outcome && !trial.imported_from; });
  note = fmt::format("Continuing {}: {} trials are in the record.", options.database.string(), ended);
  NETSETTLE_ASSIGN(const datasets::StudyRecord record, store.study());
  note += widened_note(widened_parameters(record, space));
  return store;
}

}  // namespace

std::expected<std::unique_ptr<AskTell>, Errors> AskTell::open(runners::Host& host, const Experiment& experiment,
                                                              const AskTellOptions& options) {
  const auto one = [](Error error) { return std::unexpected(Errors{std::move(error)}); };
  auto resolved = external_space(experiment);
  if (!resolved) return std::unexpected(std::move(resolved).error());
  const auto check = check_record(options.database, experiment, external_machine());
  if (!check) return one(check.error());
  std::string note;
  auto store = check->exists
                   ? continue_store(resolved->space, options, note)
                   : create_store(new_record(experiment, *resolved, options, host.clock().utc().count()), resolved->space, options, note);
  if (!store) return one(store.error());
  std::unique_ptr<AskTell> session(new AskTell(host, std::move(*store)));
  session->note_ = std::move(note);
  if (const auto begun = session->begin(experiment, options); !begun) return one(begun.error());
  return session;
}

Expected<void> AskTell::begin(const Experiment& experiment, const AskTellOptions& options) {
  const auto self = runners::own_identity();
  NETSETTLE_TRY(store_.begin_session({.boot_id = runners::boot_id(host_),
                                      .pid = self.pid,
                                      .pid_start = self.start,
                                      .tool_version = NETSETTLE_VERSION,
                                      .argv = options.argv}));
  NETSETTLE_TRY(store_.set_status(datasets::StudyStatus::running));
  NETSETTLE_TRY(adopt_experiment(store_, experiment, options.overrides));
  NETSETTLE_ASSIGN(StudyView view, load_view(store_));
  if (view.configurations.empty()) {  // a verdict may name the baseline before it was ever asked
    NETSETTLE_ASSIGN(const std::int64_t id, store_.add_configuration(view.space.baseline(), "baseline"));
    view.configurations.push_back({id, view.space.baseline(), "baseline"});
  }
  if (!view.trials.empty()) last_before_ = view.trials.back().id;
  recorder_ = std::make_unique<StoreRecorder>(store_, [this] { return now_us(); });
  course_ = std::make_unique<strategies::StudyCourse>(std::move(view), *recorder_);
  return {};
}

std::string AskTell::answer(std::string_view line) {
  const auto message = parse_message(line);
  if (!message) return error_answer(message.error());
  if (const auto* told = std::get_if<Tell>(&*message)) return tell(*told);
  return std::holds_alternative<Ask>(*message) ? ask() : finish();
}

std::string AskTell::ask() {
  for (;;) {
    const auto step = course_->step();
    if (!step) return error_answer(to_text(step.error()));
    if (std::holds_alternative<strategies::Finished>(*step)) return done();
    if (std::holds_alternative<strategies::Waiting>(*step)) return waiting_answer(course_->out());
    const auto* run = std::get_if<strategies::RunTrial>(&*step);
    if (run == nullptr) continue;
    asked_us_[run->trial.id] = now_us();
    return trial_answer(study(), run->trial);
  }
}

std::string AskTell::objection(const Tell& told) const {
  const auto trial = std::ranges::find(study().trials, told.trial, &Trial::id);
  if (trial == study().trials.end()) return fmt::format("trial {} was never asked", told.trial);
  if (trial->state != TrialState::planned) return fmt::format("trial {} was told already", told.trial);
  if (strategies::has_verdict(study())) return fmt::format("the study has ended; trial {} does not count any more", told.trial);
  // Before a restart it may have been asked; since then it is known which ones were.
  if (told.trial > last_before_ && !course_->out().contains(told.trial)) return fmt::format("trial {} was not asked yet", told.trial);
  const auto missing = told.value ? missing_metrics(study().experiment, told) : std::vector<std::string>{};
  if (!missing.empty()) return fmt::format("subject_to needs these metrics beside the value: {}", fmt::join(missing, ", "));
  return {};
}

std::string AskTell::tell(const Tell& told) {
  if (const std::string reason = objection(told); !reason.empty()) return error_answer(reason);
  Trial trial = *std::ranges::find(study().trials, told.trial, &Trial::id);
  trial.ended_us = now_us();
  const auto asked = asked_us_.find(trial.id);
  trial.started_us = asked == asked_us_.end() ? trial.ended_us : asked->second;
  trial.measurements = told.metrics;
  if (told.value) trial.measurements["value"] = *told.value;
  trial.outcome = told.failed ? Outcome::failed : told.invalid ? Outcome::invalid : Outcome::measured;
  trial.state = told.failed ? TrialState::failed : TrialState::done;
  if (told.failed) trial.reasons.push_back(reason_of(*told.failed));
  if (told.invalid) trial.reasons.push_back(reason_of(*told.invalid));
  if (const auto recorded = course_->end(trial); !recorded) return error_answer(to_text(recorded.error()));
  asked_us_.erase(trial.id);
  return ok_answer();
}

std::string AskTell::finish() {
  // What the record already decides is decided first: a study whose trials are all told has a verdict of its own.
  for (;;) {
    if (strategies::has_verdict(study())) return done();
    if (!course_->out().empty()) break;
    const auto next = strategies::next_step(study(), course_->left());
    const bool decides = std::holds_alternative<strategies::Decide>(next) &&
                         !strategies::next_pending(study().trials, strategies::retry_rule(study().experiment), {}, course_->left().trials);
    if (!decides) break;
    if (const auto step = course_->step(); !step) return error_answer(to_text(step.error()));
  }
  if (const auto closed = course_->close(); !closed) return error_answer(to_text(closed.error()));
  return done();
}

std::string AskTell::done() const {
  const auto verdict = strategies::verdict_of(study());
  return verdict ? done_answer(study(), *verdict) : error_answer("the study has no verdict");
}

Expected<void> AskTell::close(std::string_view reason) {
  const bool over = strategies::has_verdict(study());
  NETSETTLE_TRY(store_.set_status(over ? datasets::StudyStatus::converged : datasets::StudyStatus::paused));
  return store_.end_session(reason);
}

}  // namespace netsettle::tuner
