#include "tuner/cli/own_work.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/topology/host_facts.hpp"
#include "tuner/loop/record_check.hpp"
#include "tuner/loop/trial_runner.hpp"
#include "tuner/report/report_data.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

Error with_remedy(Error error) {
  error.text += "; --no-record measures here and compares, and leaves the record as it is";
  return error;
}

/// Settings that are not what they were when the study began: then the baseline is another one.
Expected<void> check_as_found(const OwnWork& own, const AsFoundValues& now) {
  std::vector<std::string> changes;
  for (const auto& [setting, value] : now) {
    const auto before = own.record.study.as_found.find(setting);
    if (before != own.record.study.as_found.end() && to_text(before->second) != to_text(value))
      changes.push_back(fmt::format("{} was {} and is {}", setting, to_text(before->second), to_text(value)));
  }
  if (changes.empty()) return {};
  const std::string text = fmt::format("the machine is not as the study found it: {}", fmt::join(changes, ", "));
  if (own.is_recorded) return std::unexpected(with_remedy({ErrorCode::mismatch, own.record.path.string(), text}));
  fmt::print(stderr, "netsettle: {}; what was left as found is compared with another value\n", text);
  return {};
}

Expected<std::optional<datasets::Store>> open_store(const OwnWork& own, runners::Host& host) {
  if (!own.is_recorded) return std::nullopt;
  NETSETTLE_ASSIGN(auto store, datasets::Store::open_writer(own.record.path));
  const auto self = runners::own_identity();
  Arguments argv = {"netsettle", own.command};
  argv.insert(argv.end(), own.arguments.begin(), own.arguments.end());
  NETSETTLE_TRY(store.begin_session(
      {.boot_id = runners::boot_id(host), .pid = self.pid, .pid_start = self.start, .tool_version = NETSETTLE_VERSION, .argv = argv}));
  NETSETTLE_TRY(store.interrupt_live_trials());
  return store;
}

void print_trial(const Trial& trial, std::size_t number, std::size_t of, const std::string& metric) {
  const auto value = trial.measurements.find(metric);
  std::string reasons;
  for (const Reason& reason : trial.reasons) reasons += ", " + reason.code;
  fmt::print("{}/{}  configuration {:<4} {:>12}  {}{}{}\n", number, of, trial.configuration_id,
             value == trial.measurements.end() ? "-" : quantity(value->second),
             trial.outcome ? to_text(*trial.outcome) : to_text(trial.state), trial.suspect ? ", suspect" : "", reasons);
  std::fflush(stdout);
}

/// As in a study: abort_if, or too many failures in a row.
std::optional<std::string> reason_to_abort(const Experiment& experiment, std::vector<Trial> trials) {
  for (Trial& trial : trials) trial.purpose = Purpose::search;
  return abort_condition(experiment, trials);
}

/// The trials one after the other.
class Series {
 public:
  Series(const OwnWork& own, const RigWork& work, datasets::Store* store, runners::Host& host)
      : own_(own), work_(work), store_(store), host_(host), step_(own.as_json), each_s_(trial_seconds(work.experiment)) {}

  Expected<std::vector<Trial>> run(const std::vector<OwnTrial>& planned, int attempts) {
    if (!own_.as_json) fmt::print("{} trial{}, about {}.\n", planned.size(), planned.size() == 1 ? "" : "s", duration_text(planned.size()));
    for (std::size_t i = 0; i < planned.size() && work_.stop == 0; ++i) {
      OwnTrial trial = planned[i];
      for (bool again = true; again && work_.stop == 0; ++trial.attempt) {
        NETSETTLE_TRY(run_one(trial, i, planned.size()));
        again = work_.stop == 0 && trial.attempt < attempts && trials_.back().outcome == Outcome::invalid;
        if (again) trial.retry_of = trials_.back().id;
      }
      if (aborts()) break;
    }
    return std::move(trials_);
  }

 private:
  std::string duration_text(std::size_t trials) const {
    return format_duration_us(static_cast<std::int64_t>(each_s_ * static_cast<double>(trials)) * 1'000'000);
  }

  Expected<void> run_one(const OwnTrial& planned, std::size_t index, std::size_t of) {
    const auto on_state = [&](TrialState state) {
      step_.show(fmt::format("trial {} of {}: {}, about {} left", index + 1, of, to_text(state), duration_text(of - index)));
    };
    NETSETTLE_ASSIGN(Trial trial, run_own_trial(
                                      work_.session, store_, own_.record.view, planned, work_.stop,
                                      [&] { return std::int64_t{host_.clock().utc().count()}; }, on_state));
    step_.clear();
    if (work_.stop != 0) return {};
    if (!own_.as_json) print_trial(trial, index + 1, of, own_.record.view.experiment.objective.maximize);
    trials_.push_back(std::move(trial));
    return {};
  }

  bool aborts() const {
    if (work_.stop != 0 || trials_.empty()) return false;
    const auto reason = reason_to_abort(work_.experiment, trials_);
    if (reason) fmt::print(stderr, "netsettle: ended early: {}\n", *reason);
    return reason.has_value();
  }

  const OwnWork& own_;
  const RigWork& work_;
  datasets::Store* store_;
  runners::Host& host_;
  StepLine step_;
  double each_s_;
  std::vector<Trial> trials_;
};

}  // namespace

Expected<void> check_own_rig(const Record& record) {
  if (record.view.experiment.rig.kind != RigKind::external) return {};
  if (record.study.workload_hash == kImportedWorkload)
    return fail(ErrorCode::unsupported, record.path.string(),
                "it was imported from files: netsettle cannot run them; compare --no-run compares what is recorded");
  return fail(
      ErrorCode::unsupported, record.path.string(),
      "another program runs its trials: netsettle cannot run them. netsettle ask-tell goes on with it; compare --no-run compares what "
      "is recorded");
}

std::optional<int> refuse_other_machine(const OwnWork& own, const Experiment& experiment, const Machine& machine) {
  if (!own.is_recorded) return std::nullopt;
  const auto checked = check_record(own.record.path, experiment, machine);
  if (checked) return std::nullopt;
  return print_error(with_remedy(checked.error()));
}

std::expected<std::vector<Trial>, int> run_own_trials(const OwnWork& own, const RigWork& work, const std::vector<OwnTrial>& planned,
                                                      int attempts) {
  const auto failed = [](const Error& error) { return std::unexpected(print_error(error)); };
  if (const auto same = check_as_found(own, work.session.resolved().as_found); !same) return failed(same.error());
  const auto host = runners::make_local_host();
  auto store = open_store(own, *host);
  if (!store) return failed(store.error());
  auto trials = Series(own, work, *store ? &**store : nullptr, *host).run(planned, attempts);
  if (*store)
    if (const auto ended = (*store)->end_session(own.command); !ended) return failed(ended.error());
  if (!trials) return failed(trials.error());
  return std::move(*trials);
}

}  // namespace netsettle::tuner
