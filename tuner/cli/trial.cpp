#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "strategies/statistics/summary.hpp"
#include "tuner/cli/configuration_option.hpp"
#include "tuner/cli/rig_command.hpp"
#include "tuner/report/account.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr int kMostRepeats = 1000;

std::optional<int> repeats_of(const CommandLine& line) {
  if (!line.has("repeat")) return 1;
  const std::string text = line.text("repeat");
  int repeats = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), repeats);
  const bool fits = status == std::errc() && end == text.data() + text.size() && repeats >= 1 && repeats <= kMostRepeats;
  return fits ? std::optional(repeats) : std::nullopt;
}

Json json_of(const ExplainedTrial& trial) {
  Json reasons = Json::array();
  for (const Reason& reason : trial.judgement.verdict.reasons) reasons.push_back({{"code", reason.code}, {"detail", reason.detail}});
  Json settings = Json::array();
  for (const AppliedSetting& row : trial.evidence.applied)
    settings.push_back({{"setting", row.setting},
                        {"requested", row.requested},
                        {"before", row.before},
                        {"effective", row.effective},
                        {"at_end", row.at_end},
                        {"status", to_text(row.status)}});
  return {{"outcome", to_text(trial.judgement.verdict.outcome)},
          {"suspect", trial.judgement.verdict.suspect},
          {"reasons", std::move(reasons)},
          {"measurements", trial.judgement.measurements},
          {"settings", std::move(settings)},
          {"account", account_of(trial.evidence)}};
}

void print_measurements(const Measurements& measurements) {
  for (const auto& [name, value] : measurements) {
    const Metric* const metric = find_metric(name);
    fmt::print("  {:<26} {:>14} {}\n", name, quantity(value), metric ? metric->unit : "");
  }
}

void print_trial(const ExplainedTrial& trial, int number, int repeats) {
  const int width = terminal_width();
  fmt::print("\nTrial {} of {}: {}", number, repeats,
             verdict_text(trial.judgement.verdict, static_cast<std::size_t>(width > 0 ? width : 100)));
  print_measurements(trial.judgement.measurements);
  fmt::print("{}", account_text(account_of(trial.evidence)));
  std::fflush(stdout);
}

std::vector<double> objective_values(const std::vector<ExplainedTrial>& trials, const std::string& objective) {
  std::vector<double> values;
  for (const ExplainedTrial& trial : trials) {
    const auto value = trial.judgement.measurements.find(objective);
    if (trial.judgement.verdict.outcome == Outcome::measured && value != trial.judgement.measurements.end())
      values.push_back(value->second);
  }
  return values;
}

void print_summary(const std::vector<double>& values, std::size_t trials, const std::string& objective) {
  if (trials < 2) return;
  const auto summary = strategies::summarise_values(values);
  if (!summary) return fmt::print("\nNone of {} trials could be measured.\n", trials);
  const auto cv = strategies::coefficient_of_variation(*summary);
  fmt::print("\n{} of {} trials measured: mean {} {}, from {} to {}{}\n", summary->n, trials, quantity(summary->mean), objective,
             quantity(summary->minimum), quantity(summary->maximum),
             cv ? fmt::format(", coefficient of variation {:.1f} %", 100 * *cv) : "");
}

int measure(const RigWork& work, const std::vector<std::string>& assignments, int repeats, bool as_json) {
  const auto& resolved = work.session.resolved();
  if (const auto kept = check_kept(assignments, resolved.dropped); !kept) return print_error(kept.error());
  const auto settings = settings_of_start(resolved.experiment, resolved.space);
  if (!settings) return print_error(settings.error());
  if (!as_json) fmt::print("Configuration: {}. About {:.0f} s a trial.\n", assignments_text(*settings), trial_seconds(resolved.experiment));
  std::vector<ExplainedTrial> trials;
  StepLine step(as_json);
  for (int number = 1; number <= repeats && work.stop == 0; ++number) {
    const double left = (repeats - number + 1) * trial_seconds(resolved.experiment);
    auto trial = work.session.run(*settings, number, work.stop, [&](TrialState state) {
      step.show(fmt::format("trial {} of {}: {}, about {:.0f} s left", number, repeats, to_text(state), left));
    });
    step.clear();
    if (work.stop != 0) break;
    if (!as_json) print_trial(trial, number, repeats);
    trials.push_back(std::move(trial));
  }
  const auto values = objective_values(trials, resolved.experiment.objective.maximize);
  if (as_json) {
    Json json{{"settings", *settings}, {"objective", resolved.experiment.objective.maximize}, {"trials", Json::array()}};
    for (const ExplainedTrial& trial : trials) json["trials"].push_back(json_of(trial));
    fmt::print("{}\n", json.dump(2));
  } else {
    print_summary(values, trials.size(), resolved.experiment.objective.maximize);
  }
  return values.empty() ? kEndedEarly : kDone;
}

}  // namespace

int run_trial_command(const Arguments& arguments) {
  CommandLine line(
      "trial FILE [--set KEY=VALUE]... [--configuration PARAMETER=VALUE,...] [--repeat N] [--json]",
      "Measures one configuration and explains where queries were lost: the verdict with its reasons, the ledger, the workers. Without\n"
      "--configuration it is the machine as found, with the file's [server] and [load]. Keeps no record; gives everything back.\n"
      "Exit 0: measured; 3: this machine cannot do it; 5: no trial could be measured; 130, 143: interrupted.",
      "netsettle trial datasets/experiments/quickstart.toml --set server.io_model=epoll --repeat 3");
  line.positional("file", 1);
  line.add()("set", options::value<std::vector<std::string>>()->composing(), "override one key of the file")(
      "configuration", options::value<std::vector<std::string>>()->composing(), "values of parameters; the others are as found")(
      "repeat", options::value<std::string>(), "how many trials (default 1)")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "trial", "an experiment file is needed"});
  const auto repeats = repeats_of(line);
  if (!repeats) return print_error({ErrorCode::invalid_input, "--repeat", fmt::format("a number from 1 to {} is needed", kMostRepeats)});
  const auto start = start_override(line.texts("configuration"));
  if (!start) return print_error(start.error());
  const bool as_json = line.has("json");
  return work_in_rig(line, {*start}, [&](const RigWork& work) { return measure(work, line.texts("configuration"), *repeats, as_json); });
}

}  // namespace netsettle::tuner
