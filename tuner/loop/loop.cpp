#include "tuner/loop/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "runners/settings/process_identity.hpp"
#include "runners/trial/trial.hpp"
#include "strategies/course/course.hpp"
#include "strategies/course/pending.hpp"
#include "strategies/racing/note.hpp"
#include "tuner/loop/prior.hpp"
#include "tuner/loop/rig_session.hpp"
#include "tuner/loop/schedule.hpp"
#include "tuner/loop/store_recorder.hpp"
#include "tuner/loop/study.hpp"
#include "tuner/loop/trial_runner.hpp"

namespace netsettle::tuner {
namespace {

/// One session: a rig, a record, and the steps between them.
class Session {
 public:
  Session(runners::Host& host, const Experiment& experiment, const Machine& machine, const SessionOptions& options, Observer& observer,
          runners::StopFlag& stop, runners::StopFlag& after_trial)
      : host_(host),
        experiment_(experiment),
        machine_(machine),
        options_(options),
        observer_(observer),
        stop_(stop),
        after_trial_(after_trial) {}

  std::expected<SessionResult, Errors> run() {
    for (;;) {
      if (!wait_for_window()) return SessionResult{SessionEnd::interrupted, "stopped while waiting for the window", {}};
      auto rig = RigSession::open(host_, experiment_, machine_, options_);
      if (!rig) return std::unexpected(std::move(rig).error());
      const auto opened = open_store(**rig);
      if (!opened) {
        (*rig)->give_back();
        return std::unexpected(Errors{opened.error()});
      }
      auto result = run_in(**rig);
      course_.reset();
      recorder_.reset();
      store_.reset();
      if (!window_closed_ || !result.restored.complete()) return result;
    }
  }

 private:
  std::int64_t now_us() const { return host_.clock().utc().count(); }

  // ---- time -------------------------------------------------------------------------------------------------------

  /// False when stopped meanwhile.
  bool wait_for_window() {
    window_closed_ = false;
    if (!experiment_.budget.window) return true;
    bool announced = false;
    while (stop_ == 0 && after_trial_ == 0) {
      const auto wait = seconds_until_window(*experiment_.budget.window, now_us());
      if (!wait || *wait <= 0) return true;
      if (!announced)
        observer_.note(fmt::format("Outside the window {}: paused with everything restored until {}.", *experiment_.budget.window,
                                   format_local_time(now_us() + static_cast<std::int64_t>(*wait * 1e6))));
      announced = true;
      host_.clock().sleep(std::chrono::seconds(10), &stop_);
    }
    return false;
  }

  bool window_is_closed() {
    if (!experiment_.budget.window) return false;
    const auto wait = seconds_until_window(*experiment_.budget.window, now_us());
    return wait && *wait > 0;
  }

  double seconds_per_trial(const StudyView& view) const {
    double sum = 0;
    int n = 0;
    for (const auto& trial : view.trials)
      if (trial.outcome && strategies::belongs_to_course(trial) && trial.ended_us > trial.started_us) {
        sum += static_cast<double>(trial.ended_us - trial.started_us) / 1e6;
        ++n;
      }
    return n > 0 ? sum / n : trial_seconds(experiment_);
  }

  std::optional<double> trials_by_time() const {
    if (!until_us_) return std::nullopt;
    return std::max(0.0, static_cast<double>(*until_us_ - now_us()) / 1e6 / seconds_per_trial(course_->study()));
  }

  // ---- the record -------------------------------------------------------------------------------------------------

  Expected<void> open_store(const RigSession& rig) {
    if (std::filesystem::exists(options_.database)) {
      if (options_.import_from) NETSETTLE_TRY(check_prior(options_.database, *options_.import_from));
      NETSETTLE_ASSIGN(auto store, datasets::Store::open_writer(options_.database));
      NETSETTLE_TRY(continue_study(store, rig));
      store_.emplace(std::move(store));
    } else {
      NETSETTLE_ASSIGN(auto store, create_store(rig));
      store_.emplace(std::move(store));
    }
    const auto self = runners::own_identity();
    NETSETTLE_TRY(store_->begin_session({.boot_id = runners::boot_id(host_),
                                         .pid = self.pid,
                                         .pid_start = self.start,
                                         .tool_version = NETSETTLE_VERSION,
                                         .argv = options_.argv}));
    NETSETTLE_ASSIGN(const int cut, store_->interrupt_live_trials());
    if (cut > 0) observer_.note("The last session was cut off in the middle of a trial; that trial is repeated.");
    NETSETTLE_TRY(store_->set_status(datasets::StudyStatus::running));
    NETSETTLE_TRY(adopt_experiment(*store_, experiment_, options_.overrides));
    NETSETTLE_ASSIGN(StudyView view, load_view(*store_));
    recorder_.emplace(*store_, [this] { return now_us(); });
    course_.emplace(std::move(view), *recorder_);
    return {};
  }

  Expected<datasets::Store> create_store(const RigSession& rig) {
    const datasets::StudyRecord record = new_record(rig);
    if (!options_.import_from) return datasets::Store::create(options_.database, record);
    NETSETTLE_ASSIGN(const PriorTrials prior, create_with_prior(options_.database, record, rig.resolved().space, *options_.import_from));
    observer_.note(to_text(prior, *options_.import_from));
    return datasets::Store::open_writer(options_.database);
  }

  datasets::StudyRecord new_record(const RigSession& rig) {
    datasets::StudyRecord record;
    record.name = experiment_.study.name;
    record.spec_file = std::filesystem::absolute(experiment_.file);
    record.spec_text = experiment_.text;
    record.overrides = options_.overrides;
    record.spec_hash = experiment_hash(experiment_);
    record.space_hash = rig.resolved().space.hash();
    record.workload_hash = machine_.workload_hash;
    record.seed = experiment_.study.seed;
    record.created_us = now_us();
    record.facts = rig.resolved().facts;
    record.as_found = rig.resolved().as_found;
    datasets::describe_space(rig.resolved().experiment, rig.resolved().space, record);
    record.dropped = rig.resolved().dropped;
    record.host_fingerprint = runners::fingerprint(machine_.facts);
    record.host_facts_json = nlohmann::json(machine_.facts).dump();
    if (const auto until = options_.until ? options_.until : experiment_.budget.until)
      if (const auto instant = next_local_time(*until, record.created_us)) record.until_us = until_us_ = *instant;
    for (const auto& [parameter, reason] : record.dropped) observer_.note(fmt::format("Parameter {} is left out: {}.", parameter, reason));
    return record;
  }

  Expected<void> continue_study(datasets::Store& store, const RigSession& rig) {
    NETSETTLE_ASSIGN(const datasets::StudyRecord record, store.study());
    for (const auto& [setting, value] : rig.resolved().as_found) {
      const auto before = record.as_found.find(setting);
      if (before == record.as_found.end() || to_text(before->second) != to_text(value))
        return fail(ErrorCode::mismatch, setting,
                    fmt::format("the study started when it was {}, now it is {}: the baseline would not be the same; put it back, or start "
                                "a new study with --db",
                                before == record.as_found.end() ? "not managed" : to_text(before->second), to_text(value)));
    }
    NETSETTLE_ASSIGN(const SearchSpace space, space_on_record(record, experiment_));
    if (space.hash() != rig.resolved().space.hash())
      return fail(ErrorCode::mismatch, options_.database, "the machine's facts give another search space than the recorded one");
    const std::string widened = widened_note(widened_parameters(record, space));
    NETSETTLE_TRY(continue_until(store, record));
    if (until_us_ && *until_us_ <= now_us())
      return fail(ErrorCode::invalid_input, options_.database,
                  fmt::format("the study's end, {}, has passed; name a new one with --until HH:MM", format_local_time(*until_us_)));
    const auto changes =
        runners::changed_facts(runners::facts_from_json(record.host_facts_json), machine_.facts, runners::FactRole::environment);
    if (!changes.empty())
      observer_.note(fmt::format("Since the study began the machine has changed: {}. Results before and after it may differ.",
                                 runners::to_text(changes)));
    NETSETTLE_ASSIGN(const auto trials, store.trials());
    const auto ended = std::ranges::count_if(trials, [](const Trial& trial) { return trial.outcome.has_value(); });
    observer_.note(fmt::format("Continuing {}: {} trials are in the record.{}", options_.database.string(), ended, widened));
    return {};
  }

  /// The recorded end holds, unless another one was asked for.
  Expected<void> continue_until(datasets::Store& store, const datasets::StudyRecord& record) {
    until_us_ = record.until_us;
    NETSETTLE_ASSIGN(const Experiment recorded, parsed_experiment(record));
    const bool changed = recorded.budget.until != experiment_.budget.until;
    if (const auto until = options_.until ? options_.until : changed ? experiment_.budget.until : std::nullopt) {
      NETSETTLE_ASSIGN(until_us_, next_local_time(*until, now_us()));
      return store.set_until(until_us_);
    }
    if (!changed) return {};
    until_us_.reset();
    return store.set_until(std::nullopt);
  }

  // ---- the steps --------------------------------------------------------------------------------------------------

  SessionResult run_in(RigSession& rig) {
    SessionResult result;
    const auto end = loop(rig);
    if (end) {
      result.end = *end;
      result.reason = reason_;
    } else {
      result.end = SessionEnd::aborted;
      result.reason = to_text(end.error());
    }
    // The machine first, the record after it: a full disk must not keep a setting changed.
    result.restored = rig.give_back();
    close_store(result);
    return result;
  }

  void close_store(SessionResult& result) {
    const auto status = result.end == SessionEnd::finished  ? datasets::StudyStatus::converged
                        : result.end == SessionEnd::aborted ? datasets::StudyStatus::aborted
                                                            : datasets::StudyStatus::paused;
    auto closed = store_->set_status(status);
    if (closed) closed = store_->end_session(result.reason.empty() ? datasets::to_text(status) : result.reason);
    if (!closed && result.end == SessionEnd::finished) {
      result.end = SessionEnd::aborted;
      result.reason = to_text(closed.error());
    }
  }

  Expected<SessionEnd> loop(RigSession& rig) {
    for (;;) {
      if (stop_ != 0 || after_trial_ != 0) return SessionEnd::interrupted;
      if (!rig.guard_alive()) return abort("netsettle-guard has died; without it the machine is not safe, so everything was restored");
      if (window_is_closed()) {
        window_closed_ = true;
        return SessionEnd::interrupted;
      }
      if (const auto reason = abort_reason(course_->study())) return abort(*reason);
      NETSETTLE_ASSIGN(const strategies::CourseStep step, course_->step(trials_by_time()));
      if (std::holds_alternative<strategies::Finished>(step)) return SessionEnd::finished;
      if (std::holds_alternative<strategies::Waiting>(step)) return fail(ErrorCode::internal, "loop", "a trial is out that nobody runs");
      if (const auto* run = std::get_if<strategies::RunTrial>(&step)) NETSETTLE_TRY(run_one(rig, run->trial));
      if (const auto* recorded = std::get_if<strategies::Recorded>(&step))
        for (const Decision& decision : recorded->decisions) announce(decision);
    }
  }

  SessionEnd abort(std::string reason) {
    reason_ = std::move(reason);
    return SessionEnd::aborted;
  }

  std::optional<std::string> abort_reason(const StudyView& view) const {
    if (view.trials.empty()) return std::nullopt;
    return abort_condition(experiment_, view.trials);
  }

  void announce(const Decision& decision) {
    if (decision.kind == DecisionKind::pilot) {
      if (const auto pilot = strategies::pilot_of(course_->study())) {
        observer_.note(
            fmt::format("The machine's own noise is {:.1f} % (coefficient of variation of {} equal trials); with this budget a "
                        "difference of about {:.1f} % can be proven.",
                        100 * pilot->coefficient_of_variation, pilot->n, 100 * pilot->provable_effect));
        if (const std::string warning = strategies::warning_of(pilot->health); !warning.empty()) observer_.note(warning);
      }
    } else if (const auto note = strategies::note_on(decision, course_->study()); !note.empty()) {
      observer_.note(note);
    }
  }

  Expected<void> run_one(RigSession& rig, const Trial& trial) {
    TrialRunner runner(host_, rig, *store_, observer_, stop_);
    return runner.run(trial, *course_, progress(course_->study(), trial));
  }

  Progress progress(const StudyView& view, const Trial& trial) const {
    Progress progress;
    progress.phase = trial.purpose;
    progress.metric = experiment_.objective.maximize;
    const int ended = static_cast<int>(std::ranges::count_if(view.trials, [](const Trial& other) {
      return other.outcome && other.state != TrialState::interrupted && strategies::belongs_to_course(other);
    }));
    progress.trial = ended + 1;
    progress.trials = planned_trials(view);
    std::optional<double> left;
    if (progress.trials) left = std::max(0, *progress.trials - ended) * seconds_per_trial(view);
    if (until_us_) {
      const double clock = std::max(0.0, static_cast<double>(*until_us_ - now_us()) / 1e6);
      left = std::min(left.value_or(clock), clock);
    }
    if (left) progress.left = std::chrono::seconds(static_cast<std::int64_t>(*left));
    progress.best = strategies::best_so_far(view);
    return progress;
  }

  /// What the study will have run when nothing more has to be repeated; absent where only the clock ends it.
  std::optional<int> planned_trials(const StudyView& view) const {
    if (until_us_ && !experiment_.budget.trials) return std::nullopt;
    if (experiment_.budget.trials && strategies::verdict_of(view)) return experiment_.budget.trials;  // it went on after a verdict
    const auto plan = strategies::phase_plan(view);
    std::set<std::pair<int, int>> places;
    for (const Trial& other : view.trials)
      if (strategies::belongs_to_course(other)) places.emplace(other.block, other.position);
    const int repeats = std::max(0, strategies::trials_spent(view.trials) - static_cast<int>(places.size()));
    const auto simplifying = std::ranges::count_if(view.trials, [](const Trial& other) {
      return other.purpose == Purpose::simplify && other.attempt == 1 && strategies::belongs_to_course(other);
    });
    return plan.pilot_trials + plan.search_trials + plan.confirmation_trials() + static_cast<int>(simplifying) + repeats;
  }

  runners::Host& host_;
  const Experiment& experiment_;
  const Machine& machine_;
  const SessionOptions& options_;
  Observer& observer_;
  runners::StopFlag& stop_;
  runners::StopFlag& after_trial_;
  std::optional<datasets::Store> store_;
  std::optional<StoreRecorder> recorder_;
  std::optional<strategies::StudyCourse> course_;
  std::optional<std::int64_t> until_us_;
  bool window_closed_ = false;
  std::string reason_;
};

}  // namespace

std::expected<SessionResult, Errors> run_session(runners::Host& host, const Experiment& experiment, const Machine& machine,
                                                 const SessionOptions& options, Observer& observer, runners::StopFlag& stop,
                                                 runners::StopFlag& after_trial) {
  return Session(host, experiment, machine, options, observer, stop, after_trial).run();
}

}  // namespace netsettle::tuner
