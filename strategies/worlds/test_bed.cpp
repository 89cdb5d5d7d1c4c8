#include "strategies/worlds/test_bed.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "datasets/model/experiment_file.hpp"
#include "strategies/course/pending.hpp"
#include "strategies/worlds/machine_formula.hpp"
#include "strategies/worlds/simulation.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kUnstable = 0.05;  // share of the rate that a slow mode costs

using Defaults = std::map<std::string, Value>;

/// What is written in a machine's own file is known to be right.
[[noreturn]] void broken(std::string_view machine, std::string_view what) {
  throw std::logic_error("test bed, " + std::string(machine) + ": " + std::string(what));
}

Experiment experiment_of(const MachineFormula& formula) {
  std::string text = "schema = 1\n[study]\nname = \"" + std::string(formula.name) +
                     "\"\n[rig]\nkind = \"external\"\n[objective]\nmaximize = \"value\"\n[budget]\ntrials = 100\n";
  text += formula.parameters;
  auto experiment = parse_experiment(text, formula.name, {});
  if (!experiment) broken(formula.name, to_text(experiment.error().front()));
  experiment->budget.trials.reset();
  return *std::move(experiment);
}

SearchSpace space_of(const MachineFormula& formula, const Experiment& experiment) {
  auto space = SearchSpace::resolve(experiment, {}, {});
  if (!space) broken(formula.name, to_text(space.error().front()));
  return *std::move(space);
}

Configuration configuration_of(const MachineFormula& formula, const Experiment& experiment, const SearchSpace& space) {
  Configuration configuration;
  for (const Parameter& parameter : experiment.parameters) configuration.values[parameter.name] = AsFound{};
  for (std::string_view rest = formula.best; !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const std::string_view name = pair.substr(0, pair.find('='));
    const auto parameter = std::ranges::find(experiment.parameters, name, &Parameter::name);
    if (parameter == experiment.parameters.end()) broken(formula.name, pair);
    const auto value = parse_value(parameter->type, pair.substr(name.size() + 1));
    if (!value) broken(formula.name, pair);
    configuration.values[parameter->name] = *value;
  }
  const auto canonical = space.canonical(configuration);
  if (!canonical) broken(formula.name, to_text(canonical.error()));
  return *canonical;
}

World world_of(const MachineFormula& formula, const Experiment& experiment) {
  auto defaults = std::make_shared<Defaults>();
  for (const Parameter& parameter : experiment.parameters) (*defaults)[parameter.name] = parameter.default_value.value();
  const double level = formula.rate(Settings({}, *defaults));
  World world{.level = level, .noise = std::sqrt(std::log1p(formula.noise * formula.noise)), .wander = formula.wander};
  world.effect = [defaults, level, rate = formula.rate](const Configuration& configuration) {
    return rate(Settings(configuration, *defaults)) / level - 1;
  };
  if (formula.slow != nullptr)
    world.slow_mode_of = [defaults, slow = formula.slow](const Configuration& c) { return slow(Settings(c, *defaults)); };
  if (formula.fails != nullptr)
    world.fails = [defaults, fails = formula.fails](const Configuration& c) { return fails(Settings(c, *defaults)); };
  return world;
}

TestMachine machine_of(const MachineFormula& formula) {
  Experiment experiment = experiment_of(formula);
  SearchSpace space = space_of(formula, experiment);
  World world = world_of(formula, experiment);
  Configuration best = configuration_of(formula, experiment, space);
  const double optimum = truth_of(world, best).mean;
  return {.name = std::string(formula.name),
          .about = std::string(formula.about),
          .experiment = std::move(experiment),
          .space = std::move(space),
          .world = std::move(world),
          .best = std::move(best),
          .optimum = optimum};
}

const Configuration& configuration_with(const StudyView& study, std::int64_t id) {
  return std::ranges::find(study.configurations, id, &StudyConfiguration::id)->configuration;
}

}  // namespace

const Value& Settings::value(const std::string& name) const {
  const auto set = configuration_->values.find(name);
  if (set != configuration_->values.end() && !std::holds_alternative<AsFound>(set->second)) return set->second;
  return defaults_->at(name);
}

double Settings::number(const std::string& name) const { return static_cast<double>(std::get<std::int64_t>(value(name))); }

const std::string& Settings::text(const std::string& name) const { return std::get<std::string>(value(name)); }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double scalability(double n, double contention, double coherence) { return n / (1 + contention * (n - 1) + coherence * n * (n - 1)); }

double saturation(double x, double start, double scale) { return 1 - std::exp(-std::max(x - start, 0.0) / scale); }

std::vector<std::string> test_machine_names() {
  std::vector<std::string> names;
  for (const MachineFormula& formula : published_machines()) names.emplace_back(formula.name);
  for (const MachineFormula& formula : further_machines()) names.emplace_back(formula.name);
  return names;
}

std::optional<TestMachine> test_machine(std::string_view name) {
  for (const std::span<const MachineFormula> machines : {published_machines(), further_machines()})
    for (const MachineFormula& formula : machines)
      if (formula.name == name) return machine_of(formula);
  return std::nullopt;
}

StudyScore score_of(const StudyView& study, const World& world, double optimum) {
  const StudyVerdict verdict = verdict_of(study).value_or(StudyVerdict{});
  const Configuration& handed_over = configuration_with(study, verdict.configuration_id);
  const Truth truth = truth_of(world, handed_over);
  const double baseline = truth_of(world, configuration_with(study, kBaselineId)).mean;
  StudyScore score{.regret_percent = 100 * (1 - truth.mean / optimum),
                   .verdict = verdict.kind,
                   .claimed = verdict.kind == VerdictKind::winner,
                   .slow_probability = truth.slow_probability,
                   .slow_depth = truth.slow_depth,
                   .unstable = truth.slow_probability * truth.slow_depth >= kUnstable,
                   .interval_holds_truth = std::nullopt,
                   .trials = trials_spent(study.trials),
                   .configuration = handed_over};
  score.wrong_claim = score.claimed && truth.mean <= baseline;
  if (verdict.effect) {
    const double effect = truth_of(world, configuration_with(study, verdict.leader_id)).mean / baseline - 1;
    score.interval_holds_truth = verdict.effect->low <= effect && effect <= verdict.effect->high;
  }
  return score;
}

StudyView study_on(const TestMachine& machine, std::uint64_t seed, int budget, StrategyKind strategy) {
  StudyView study = fresh_study(machine.experiment, machine.space);
  study.experiment.study.seed = seed;
  study.experiment.budget.trials = budget;
  study.experiment.search.strategy = strategy;
  return study;
}

StudyScore simulate(const TestMachine& machine, std::uint64_t seed, int budget, StrategyKind strategy) {
  Simulation simulation(machine.world, study_on(machine, seed, budget, strategy));
  while (simulation.step()) {
  }
  return score_of(simulation.study(), machine.world, machine.optimum);
}

}  // namespace netsettle::strategies
