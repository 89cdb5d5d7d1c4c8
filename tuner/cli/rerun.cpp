#include "tuner/loop/rerun.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/topology/host_facts.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/cli/rig_command.hpp"
#include "tuner/loop/record_check.hpp"
#include "tuner/report/json_parts.hpp"
#include "tuner/report/report_data.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr int kMostRepeats = 1000;

struct Job {
  Record record;
  RerunRequest request;
  bool is_recorded = true;
  bool as_json = false;
};

std::optional<std::int64_t> number_of(const std::string& text, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool fits = status == std::errc() && end == text.data() + text.size() && number >= 1 && number <= most;
  return fits ? std::optional(number) : std::nullopt;
}

Expected<RerunRequest> request_of(const CommandLine& line, const StudyView& study) {
  RerunRequest request;
  if (line.has("trial") == line.has("configuration"))
    return fail(ErrorCode::invalid_input, "rerun", "either --trial N or --configuration N is needed");
  const char* const what = line.has("trial") ? "trial" : "configuration";
  const auto id = number_of(line.text(what), std::numeric_limits<std::int64_t>::max());
  if (!id) return fail(ErrorCode::invalid_input, fmt::format("--{}", what), fmt::format("'{}' is no number", line.text(what)));
  request.configuration_id = *id;
  if (line.has("trial")) {
    const auto trial = std::ranges::find(study.trials, *id, &Trial::id);
    if (trial == study.trials.end())
      return fail(ErrorCode::invalid_input, "--trial", fmt::format("the record has no trial {}; netsettle show trials lists them", *id));
    request.trial_id = *id;
    request.configuration_id = trial->configuration_id;
  } else if (find_configuration(study, *id) == nullptr) {
    return fail(ErrorCode::invalid_input, "--configuration",
                fmt::format("the record has no configuration {}; netsettle show configurations lists them", *id));
  }
  if (!line.has("repeat")) return request;
  const auto repeats = number_of(line.text("repeat"), kMostRepeats);
  if (!repeats) return fail(ErrorCode::invalid_input, "--repeat", fmt::format("a number from 1 to {} is needed", kMostRepeats));
  request.repeats = static_cast<int>(*repeats);
  return request;
}

Expected<Job> job_of(const CommandLine& line) {
  NETSETTLE_ASSIGN(Record record, open_record(line));
  if (record.view.experiment.rig.kind == RigKind::external)
    return fail(ErrorCode::unsupported, record.path.string(),
                "another program ran its trials, or it was imported: netsettle cannot run them");
  NETSETTLE_ASSIGN(const RerunRequest request, request_of(line, record.view));
  return Job{std::move(record), request, !line.has("no-record"), line.has("json")};
}

// ---- the same machine, in the same state ------------------------------------------------------------------------------------------------

Error with_remedy(Error error) {
  error.text += "; --no-record measures here and compares, and leaves the record as it is";
  return error;
}

std::optional<int> refuse_other_machine(const Job& job, const Experiment& experiment, const Machine& machine) {
  if (!job.is_recorded) return std::nullopt;
  const auto checked = check_record(job.record.path, experiment, machine);
  if (checked) return std::nullopt;
  return print_error(with_remedy(checked.error()));
}

/// Settings that are not what they were when the study began: then the baseline is another one.
Expected<void> check_as_found(const Job& job, const AsFoundValues& now) {
  std::vector<std::string> changes;
  for (const auto& [setting, value] : now) {
    const auto before = job.record.study.as_found.find(setting);
    if (before != job.record.study.as_found.end() && to_text(before->second) != to_text(value))
      changes.push_back(fmt::format("{} was {} and is {}", setting, to_text(before->second), to_text(value)));
  }
  if (changes.empty()) return {};
  const std::string text = fmt::format("the machine is not as the study found it: {}", fmt::join(changes, ", "));
  if (job.is_recorded) return std::unexpected(with_remedy({ErrorCode::mismatch, job.record.path.string(), text}));
  fmt::print(stderr, "netsettle: {}; what was left as found is compared with another value\n", text);
  return {};
}

Expected<std::optional<datasets::Store>> open_store(const Job& job, runners::Host& host, const Arguments& arguments) {
  if (!job.is_recorded) return std::nullopt;
  NETSETTLE_ASSIGN(auto store, datasets::Store::open_writer(job.record.path));
  const auto self = runners::own_identity();
  Arguments argv = {"netsettle", "rerun"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  NETSETTLE_TRY(store.begin_session(
      {.boot_id = runners::boot_id(host), .pid = self.pid, .pid_start = self.start, .tool_version = NETSETTLE_VERSION, .argv = argv}));
  NETSETTLE_TRY(store.interrupt_live_trials());
  return store;
}

// ---- what is said -----------------------------------------------------------------------------------------------------------------------

Json values_json(const std::optional<Values>& values) {
  if (!values) return nullptr;
  return {{"n", values->n}, {"mean", values->mean}, {"minimum", values->minimum}, {"maximum", values->maximum}};
}

Json interval_json(const std::optional<strategies::Interval95>& interval) {
  if (!interval) return nullptr;
  return {{"estimate", interval->estimate}, {"low", interval->low}, {"high", interval->high}};
}

Json json_of(const Job& job, const RerunComparison& comparison, const std::vector<Trial>& trials) {
  Json list = Json::array();
  for (const Trial& trial : trials) list.push_back(trial_object(trial));
  return {{"record", job.record.path.string()},
          {"recorded", job.is_recorded},
          {"trial_id", job.request.trial_id ? Json(*job.request.trial_id) : Json(nullptr)},
          {"configuration_id", job.request.configuration_id},
          {"objective", job.record.view.experiment.objective.maximize},
          {"before", values_json(comparison.before)},
          {"now", values_json(comparison.now)},
          {"change", interval_json(comparison.change)},
          {"gain_before", interval_json(comparison.gain_before)},
          {"gain_now", interval_json(comparison.gain_now)},
          {"gain_change", interval_json(comparison.gain_change)},
          {"agrees", comparison.agrees ? Json(*comparison.agrees) : Json(nullptr)},
          {"trials", std::move(list)}};
}

std::string values_text(const std::optional<Values>& values, const std::string& metric) {
  if (!values) return "no measured trial";
  if (values->n == 1) return fmt::format("{} {} (1 trial)", quantity(values->mean), metric);
  return fmt::format("{} {} ({} trials, {} to {})", quantity(values->mean), metric, values->n, quantity(values->minimum),
                     quantity(values->maximum));
}

std::string interval_text(const std::optional<strategies::Interval95>& value) { return value ? interval(*value) : "too few trials"; }

void print_agreement(const RerunComparison& comparison) {
  if (!comparison.agrees) return fmt::print("Too few trials to say whether they agree; --repeat 5 measures more.\n");
  const bool by_gain = comparison.gain_change.has_value();
  if (*comparison.agrees)
    fmt::print("They agree: the interval of the {} holds 0.\n", by_gain ? "gain's change" : "change");
  else
    fmt::print("They do not agree: the {} is not explained by the spread of the trials{}.\n", by_gain ? "gain's change" : "change",
               by_gain ? "" : "; --repeat measures the baseline with it, which shows whether the whole machine has changed");
}

void print_comparison(const Job& job, const RerunComparison& comparison) {
  const std::string& metric = job.record.view.experiment.objective.maximize;
  const StudyConfiguration* configuration = find_configuration(job.record.view, job.request.configuration_id);
  fmt::print("\nConfiguration {} ({})\n", configuration->id, changes(job.record.view, configuration->configuration));
  if (job.request.trial_id) {
    const auto trial = std::ranges::find(job.record.view.trials, *job.request.trial_id, &Trial::id);
    const auto value = trial->measurements.find(metric);
    fmt::print("  trial {:<9} {}\n", trial->id,
               value == trial->measurements.end() ? "not measured" : quantity(value->second) + " " + metric);
  }
  fmt::print("  before          {}\n  now             {}\n", values_text(comparison.before, metric), values_text(comparison.now, metric));
  fmt::print("  change          {}\n", interval_text(comparison.change));
  if (comparison.gain_now || comparison.gain_change) {
    fmt::print("  gain before     {} against the baseline\n", interval_text(comparison.gain_before));
    fmt::print("  gain now        {}\n  gain's change   {}\n", interval_text(comparison.gain_now), interval_text(comparison.gain_change));
  }
  print_agreement(comparison);
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

// ---- the work ---------------------------------------------------------------------------------------------------------------------------

Expected<std::vector<Trial>> measure(const Job& job, const RigWork& work, datasets::Store* store, runners::Host& host) {
  NETSETTLE_ASSIGN(const auto planned, plan_rerun(job.record.view, job.request));
  const double each_s = trial_seconds(work.experiment);
  if (!job.as_json)
    fmt::print("{} trial{}, about {:.0f} s.\n", planned.size(), planned.size() == 1 ? "" : "s",
               each_s * static_cast<double>(planned.size()));
  std::vector<Trial> trials;
  StepLine step(job.as_json);
  for (std::size_t i = 0; i < planned.size() && work.stop == 0; ++i) {
    NETSETTLE_ASSIGN(Trial trial, run_again(
                                      work.session, store, job.record.view, planned[i], work.stop,
                                      [&] { return std::int64_t{host.clock().utc().count()}; },
                                      [&](TrialState state) {
                                        step.show(fmt::format("trial {} of {}: {}, about {:.0f} s left", i + 1, planned.size(),
                                                              to_text(state), each_s * static_cast<double>(planned.size() - i)));
                                      }));
    step.clear();
    if (work.stop != 0) break;
    if (!job.as_json) print_trial(trial, i + 1, planned.size(), job.record.view.experiment.objective.maximize);
    trials.push_back(std::move(trial));
  }
  return trials;
}

int rerun(const Job& job, const RigWork& work, const Arguments& arguments) {
  if (const auto same = check_as_found(job, work.session.resolved().as_found); !same) return print_error(same.error());
  const auto host = runners::make_local_host();
  auto store = open_store(job, *host, arguments);
  if (!store) return print_error(store.error());
  const auto trials = measure(job, work, *store ? &**store : nullptr, *host);
  if (*store)
    if (const auto ended = (*store)->end_session("rerun"); !ended) return print_error(ended.error());
  if (!trials) return print_error(trials.error());
  const auto comparison = compare_rerun(job.record.view, job.request.configuration_id, *trials);
  if (job.as_json)
    fmt::print("{}\n", json_of(job, comparison, *trials).dump(2, ' ', false, Json::error_handler_t::replace));
  else if (work.stop == 0)
    print_comparison(job, comparison);
  return comparison.now ? kDone : kEndedEarly;
}

}  // namespace

int run_rerun(const Arguments& arguments) {
  CommandLine line(
      "rerun --trial N|--configuration N [--repeat K] [--no-record] [--db RECORD] [--json]",
      "Measures a trial (with the source ports that it had) or a configuration of a record again, and says whether then and now agree.\n"
      "With --repeat the trials are interleaved with the baseline. They go into the record as trials of your own (purpose manual), which\n"
      "neither the search nor a confirmation looks at. Everything is given back. Exit 0: measured, whatever it says; 3: this machine\n"
      "cannot do it; 5: nothing could be measured; 6: another machine, or not as the study found it; 7: the study is running.",
      "netsettle rerun --configuration 2 --repeat 5 --db quickstart.netsettle.db");
  const auto text = [] { return options::value<std::string>(); };
  line.add()("trial", text(), "the number of a trial")("configuration", text(), "the number of a configuration")(
      "repeat", text(), "how many times (default 1)")("no-record", "leave the record as it is: also on another machine")(
      "db", text(), "the record")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto job = job_of(line);
  if (!job) return print_error(job.error());
  const auto experiment = parsed_experiment(job->record.study);
  if (!experiment) return print_error(experiment.error());
  return work_in_rig_of(
      *experiment, [&](const Machine& machine) { return refuse_other_machine(*job, *experiment, machine); },
      [&](const RigWork& work) { return rerun(*job, work, arguments); });
}

}  // namespace netsettle::tuner
