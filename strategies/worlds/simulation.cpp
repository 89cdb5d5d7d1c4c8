#include "strategies/worlds/simulation.hpp"

#include <algorithm>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::uint64_t kNoiseSeed = 0x6e6f697365;  // "noise"
constexpr std::int64_t kTrialUs = 5'000'000;        // what a simulated trial takes

}  // namespace

StudyView fresh_study(const Experiment& experiment, const SearchSpace& space) {
  return {.experiment = experiment,
          .space = space,
          .configurations = {{kBaselineId, space.baseline(), "baseline"}},
          .trials = {},
          .decisions = {}};
}

Simulation::Simulation(const World& world, StudyView study)
    : world_(&world), study_(std::move(study)), noise_(world, derive_seed(study_.experiment.study.seed, kNoiseSeed)) {}

BudgetLeft Simulation::left() const {
  const auto used = static_cast<int>(study_.trials.size());
  BudgetLeft left;
  if (study_.experiment.budget.trials) left.trials = *study_.experiment.budget.trials - used;
  if (world_->clock) left.trials_by_time = std::max(0.0, *world_->clock - used);
  return left;
}

bool Simulation::step() {
  const auto planned = std::ranges::find(study_.trials, TrialState::planned, &Trial::state);
  if (planned != study_.trials.end()) {
    run(static_cast<std::size_t>(planned - study_.trials.begin()));
    return true;
  }
  const NextStep next = next_step(study_, left());
  if (std::holds_alternative<Finished>(next)) return false;
  if (const auto* block = std::get_if<RunBlock>(&next)) plan(*block);
  if (const auto* decisions = std::get_if<Decide>(&next)) decide(*decisions);
  return true;
}

void Simulation::run(std::size_t index) {
  Trial& trial = study_.trials[index];
  const auto configuration = std::ranges::find(study_.configurations, trial.configuration_id, &StudyConfiguration::id);
  noise_.measure(trial, configuration->configuration, study_.experiment.objective.maximize);
  trial.started_us = kTrialUs * trial.id;
  trial.ended_us = trial.started_us + kTrialUs;
  const bool repeat =
      trial.outcome != Outcome::measured && trial.attempt < study_.experiment.trial.attempts && left().trials.value_or(1) > 0;
  if (!repeat) return;
  Trial again{.id = std::ssize(study_.trials) + 1,
              .configuration_id = trial.configuration_id,
              .purpose = trial.purpose,
              .block = trial.block,
              .position = trial.position,
              .attempt = trial.attempt + 1,
              .seed = trial.seed};
  study_.trials.push_back(std::move(again));
}

void Simulation::plan(const RunBlock& block) {
  int position = 0;
  for (const BlockTrial& wanted : block.trials)
    study_.trials.push_back({.id = std::ssize(study_.trials) + 1,
                             .configuration_id = id_of(wanted.configuration, wanted.origin),
                             .purpose = block.purpose,
                             .block = block.block,
                             .position = position++,
                             .seed = wanted.seed});
}

void Simulation::decide(const Decide& decide) {
  for (Decision decision : decide.decisions) {
    decision.id = std::ssize(study_.decisions) + 1;
    decision.at_us = kTrialUs * std::ssize(study_.trials);
    study_.decisions.push_back(std::move(decision));
  }
}

std::int64_t Simulation::id_of(const Configuration& configuration, const std::string& origin) {
  const auto known = std::ranges::find(study_.configurations, configuration, &StudyConfiguration::configuration);
  if (known != study_.configurations.end()) return known->id;
  study_.configurations.push_back({std::ssize(study_.configurations) + 1, configuration, origin});
  return study_.configurations.back().id;
}

std::expected<SimulatedStudy, Errors> simulate_study(const World& world, Experiment experiment, std::uint64_t seed, const Facts& facts) {
  experiment.study.seed = seed;
  const auto space = SearchSpace::resolve(experiment, facts, {});
  if (!space) return std::unexpected(space.error());
  Simulation simulation(world, fresh_study(experiment, *space));
  while (simulation.step()) {
  }
  const auto verdict = verdict_of(simulation.study());
  return SimulatedStudy{.study = simulation.study(), .verdict = verdict.value_or(StudyVerdict{})};
}

}  // namespace netsettle::strategies
