#include "tuner/loop/rerun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/cli/own_work.hpp"
#include "tuner/report/json_parts.hpp"
#include "tuner/report/report_data.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr int kMostRepeats = 1000;

struct Job {
  OwnWork own;
  RerunRequest request;
};

Expected<RerunRequest> request_of(const CommandLine& line, const StudyView& study) {
  RerunRequest request;
  if (line.has("trial") == line.has("configuration"))
    return fail(ErrorCode::invalid_input, "rerun", "either --trial N or --configuration N is needed");
  const char* const what = line.has("trial") ? "trial" : "configuration";
  const auto id = whole_number(line.text(what), 1, std::numeric_limits<std::int64_t>::max());
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
  const auto repeats = whole_number(line.text("repeat"), 1, kMostRepeats);
  if (!repeats) return fail(ErrorCode::invalid_input, "--repeat", fmt::format("a number from 1 to {} is needed", kMostRepeats));
  request.repeats = static_cast<int>(*repeats);
  return request;
}

Expected<Job> job_of(const CommandLine& line, const Arguments& arguments) {
  NETSETTLE_ASSIGN(Record record, open_record(line));
  NETSETTLE_TRY(check_own_rig(record));
  NETSETTLE_ASSIGN(const RerunRequest request, request_of(line, record.view));
  return Job{OwnWork{std::move(record), "rerun", arguments, !line.has("no-record"), line.has("json")}, request};
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
  return {{"record", job.own.record.path.string()},
          {"recorded", job.own.is_recorded},
          {"trial_id", job.request.trial_id ? Json(*job.request.trial_id) : Json(nullptr)},
          {"configuration_id", job.request.configuration_id},
          {"objective", job.own.record.view.experiment.objective.maximize},
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
  const std::string& metric = job.own.record.view.experiment.objective.maximize;
  const StudyConfiguration* configuration = find_configuration(job.own.record.view, job.request.configuration_id);
  fmt::print("\nConfiguration {} ({})\n", configuration->id, changes(job.own.record.view, configuration->configuration));
  if (job.request.trial_id) {
    const auto trial = std::ranges::find(job.own.record.view.trials, *job.request.trial_id, &Trial::id);
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

// ---- the work ---------------------------------------------------------------------------------------------------------------------------

int rerun(const Job& job, const RigWork& work) {
  const auto planned = plan_rerun(job.own.record.view, job.request);
  if (!planned) return print_error(planned.error());
  const auto trials = run_own_trials(job.own, work, *planned, 1);
  if (!trials) return trials.error();
  const auto comparison = compare_rerun(job.own.record.view, job.request.configuration_id, *trials);
  if (job.own.as_json)
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
  const auto job = job_of(line, arguments);
  if (!job) return print_error(job.error());
  const auto experiment = parsed_experiment(job->own.record.study);
  if (!experiment) return print_error(experiment.error());
  return work_in_rig_of(
      *experiment, [&](const Machine& machine) { return refuse_other_machine(job->own, *experiment, machine); },
      [&](const RigWork& work) { return rerun(*job, work); });
}

}  // namespace netsettle::tuner
