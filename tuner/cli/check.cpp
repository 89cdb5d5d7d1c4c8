#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "runners/hosts/local_host.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/search/strategy.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/loop/external.hpp"
#include "tuner/loop/preparation.hpp"
#include "tuner/loop/schedule.hpp"

namespace netsettle::tuner {
namespace {

struct Plan {
  std::optional<std::uint64_t> configurations;  // absent: more than can be counted, or real numbers
  strategies::PhasePlan phases;
  std::string strategy;
  int trials = 0;
  double seconds_per_trial = 0;
  std::optional<std::int64_t> until_us;
};

Plan plan_of(const ResolvedSpace& resolved, std::int64_t now_us) {
  Plan plan;
  StudyView view;
  view.experiment = resolved.experiment;
  view.space = resolved.space;
  constexpr std::size_t kCountable = 1'000'000;
  std::uint64_t combinations = 1;
  bool countable = true;
  for (const auto& domain : resolved.space.domains()) {
    const auto levels = SearchSpace::cardinality(domain);
    countable = countable && levels && *levels <= kCountable && combinations <= kCountable;
    if (countable) combinations *= *levels;
  }
  if (countable) {
    // Constraints and conditions make fewer; small spaces are counted exactly.
    const auto all = combinations <= 10'000 ? resolved.space.enumerate(10'000) : std::nullopt;
    plan.configurations = all ? all->size() : combinations;
  }
  plan.phases = strategies::phase_plan(view);
  plan.strategy = strategies::strategy_choice(view);
  plan.trials = resolved.experiment.budget.trials.value_or(plan.phases.pilot_trials + plan.phases.search_trials +
                                                           plan.phases.confirmation_trials());
  plan.seconds_per_trial = trial_seconds(resolved.experiment);
  if (resolved.experiment.budget.until)
    if (const auto until = next_local_time(*resolved.experiment.budget.until, now_us)) plan.until_us = *until;
  return plan;
}

/// Of an experiment whose trials another program runs: how long they take and what they change is not known here.
void print_defaults(const ResolvedSpace& resolved) {
  for (const auto& domain : resolved.space.domains())
    fmt::print("  parameter       {} (default: {})\n", domain.name, to_text(domain.as_found.value_or(AsFound{})));
}

void print_plan(const Experiment& experiment, const ResolvedSpace& resolved, const Plan& plan, std::int64_t now_us) {
  fmt::print("{}: study {}, rig {}\n", experiment.file, experiment.study.name, to_text(experiment.rig.kind));
  fmt::print("  configurations  {}\n", plan.configurations ? fmt::format("{}", *plan.configurations) : "more than a million");
  fmt::print("  strategy        {}\n", plan.strategy);
  fmt::print("  trials          {}: {} pilot, {} search, {} confirmation ({} blocks of the settings you had and {} finalist{}), {} kept for "
             "repeats{}\n",
             plan.trials, plan.phases.pilot_trials, plan.phases.search_trials, plan.phases.confirmation_trials(),
             plan.phases.confirmation_blocks, plan.phases.finalists, plan.phases.finalists == 1 ? "" : "s", plan.phases.spare_trials,
             plan.phases.simplification_trials > 0 ? fmt::format(", {} for a smaller change", plan.phases.simplification_trials) : "");
  if (experiment.rig.kind == RigKind::external) return print_defaults(resolved);
  const double seconds = plan.trials * plan.seconds_per_trial;
  fmt::print("  time            {} ({:.1f} h) at {:.1f} s a trial\n", format_duration_us(static_cast<std::int64_t>(seconds * 1e6)),
             seconds / 3600, plan.seconds_per_trial);
  std::int64_t end = now_us + static_cast<std::int64_t>(seconds * 1e6);
  if (plan.until_us) end = std::min(end, *plan.until_us);
  fmt::print("  end             {}{} if it starts now\n", format_local_time(end),
             plan.until_us && end == *plan.until_us ? " (budget.until)" : "");
  for (const auto& domain : resolved.space.domains()) {
    const auto as_found = domain.as_found ? to_text(*domain.as_found) : "differs by setting";
    fmt::print("  parameter       {} (as found: {})\n", domain.name, as_found);
  }
  for (const auto& [name, reason] : resolved.dropped) fmt::print("  left out        {}: {}\n", name, reason);
  for (const auto& [name, text] : resolved.narrowed) fmt::print("  narrowed        {}: {}\n", name, text);
  const auto host_wide = host_wide_settings(experiment);
  if (host_wide.empty())
    fmt::print("  whole machine   nothing: all changes stay inside the rig\n");
  else
    fmt::print("  whole machine   {} affect the whole machine while the study runs; they are given back at the end\n",
               fmt::join(host_wide, ", "));
}

nlohmann::json json_of(const Experiment& experiment, const ResolvedSpace& resolved, const Plan& plan) {
  const bool known_time = experiment.rig.kind != RigKind::external;
  nlohmann::json dropped = nlohmann::json::array(), narrowed = nlohmann::json::array();
  for (const auto& [name, text] : resolved.narrowed) narrowed.push_back({{"parameter", name}, {"reason", text}});
  for (const auto& [name, reason] : resolved.dropped) dropped.push_back({{"parameter", name}, {"reason", reason}});
  return {{"study", experiment.study.name},
          {"rig", to_text(experiment.rig.kind)},
          {"configurations", plan.configurations ? nlohmann::json(*plan.configurations) : nlohmann::json(nullptr)},
          {"strategy", plan.strategy},
          {"trials", plan.trials},
          {"pilot_trials", plan.phases.pilot_trials},
          {"search_trials", plan.phases.search_trials},
          {"confirmation_blocks", plan.phases.confirmation_blocks},
          {"finalists", plan.phases.finalists},
          {"seconds_per_trial", known_time ? nlohmann::json(plan.seconds_per_trial) : nullptr},
          {"hours", known_time ? nlohmann::json(plan.trials * plan.seconds_per_trial / 3600) : nullptr},
          {"host_wide", host_wide_settings(experiment)},
          {"dropped", std::move(dropped)},
          {"narrowed", std::move(narrowed)}};
}

/// The space as it is on this machine; of an external experiment, as the file has it.
std::expected<ResolvedSpace, Errors> resolved_here(runners::Host& host, const Experiment& experiment) {
  if (experiment.rig.kind == RigKind::external) return external_space(experiment);
  const auto machine = inspect_machine(host, experiment);
  if (!machine) return std::unexpected(machine.error());
  return resolve_space(experiment, *machine, plain_context(host, experiment, *machine));
}

}  // namespace

int run_check(const Arguments& arguments) {
  CommandLine line(
      "check FILE [--set KEY=VALUE]... [--json]",
      "Validates an experiment file and this machine for it; prints configurations, trials, hours, the end, and what affects the\n"
      "whole machine. Changes nothing. Exit 2: mistakes in the file; 3: this machine cannot do it.",
      "netsettle check datasets/experiments/quickstart.toml --set budget.trials=60");
  line.positional("file", 1);
  line.add()("set", boost::program_options::value<std::vector<std::string>>()->composing(), "override one key of the file")("json",
                                                                                                                            "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "check", "an experiment file is needed"});
  const auto overrides = parse_overrides(line.texts("set"));
  if (!overrides) return overrides.error();
  const auto experiment = read_experiment(line.text("file"), *overrides);
  if (!experiment) return print_diagnostics(experiment.error());
  const auto host = runners::make_local_host();
  const auto resolved = resolved_here(*host, *experiment);
  if (!resolved) return print_errors(resolved.error());
  const std::int64_t now_us = host->clock().utc().count();
  const Plan plan = plan_of(*resolved, now_us);
  if (line.has("json"))
    fmt::print("{}\n", json_of(*experiment, *resolved, plan).dump(2));
  else
    print_plan(*experiment, *resolved, plan, now_us);
  return kDone;
}

}  // namespace netsettle::tuner
