#include "strategies/worlds/simulation.hpp"

#include <algorithm>
#include <map>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::uint64_t kNoiseSeed = 0x6e6f697365;  // "noise"
constexpr std::int64_t kTrialUs = 5'000'000;        // what a simulated trial takes

std::uint64_t noise_seed(const StudyView& study) { return derive_seed(study.experiment.study.seed, kNoiseSeed); }

/// The id that this trial has in a study that was never cut off: blocks one after the other, in each its trials by position and then the
/// repeats as they came up.
std::int64_t uninterrupted_id(const std::vector<Trial>& trials, const Trial& trial) {
  std::int64_t before = 0, repeats = 0;
  std::map<int, int> attempts;  // of this block, by position, without those that were cut off
  for (const Trial& other : trials) {
    if (other.state == TrialState::interrupted) continue;
    if (other.block < trial.block) ++before;
    if (other.block == trial.block) ++attempts[other.position];
  }
  for (const auto& [position, n] : attempts)
    if (position < trial.position) repeats += n - 1;
  const int attempt = attempts[trial.position];
  if (attempt <= 1) return before + trial.position + 1;
  return before + std::ssize(attempts) + repeats + attempt - 1;
}

}  // namespace

StudyView fresh_study(const Experiment& experiment, const SearchSpace& space) {
  return {.experiment = experiment,
          .space = space,
          .configurations = {{kBaselineId, space.baseline(), "baseline"}},
          .trials = {},
          .decisions = {}};
}

Simulation::Simulation(const World& world, StudyView study)
    : world_(&world),
      own_recorder_(std::make_unique<MemoryRecorder>(study)),
      course_(std::move(study), *own_recorder_),
      noise_(world, noise_seed(course_.study())) {}

Simulation::Simulation(const World& world, StudyView study, Recorder& recorder)
    : world_(&world), course_(std::move(study), recorder), noise_(world, noise_seed(course_.study())) {}

Expected<bool> Simulation::advance() {
  std::optional<double> by_clock;
  if (world_->clock) by_clock = std::max(0.0, *world_->clock - trials_spent(study().trials));
  NETSETTLE_ASSIGN(const CourseStep next, course_.step(by_clock));
  if (const auto* ready = std::get_if<RunTrial>(&next)) NETSETTLE_TRY(run(ready->trial));
  return !std::holds_alternative<Finished>(next);
}

Expected<void> Simulation::run(Trial trial) {
  const auto configuration = std::ranges::find(study().configurations, trial.configuration_id, &StudyConfiguration::id);
  const std::int64_t id = std::exchange(trial.id, uninterrupted_id(study().trials, trial));
  noise_.measure(trial, configuration->configuration, study().experiment.objective.maximize);
  trial.started_us = kTrialUs * trial.id;
  trial.ended_us = trial.started_us + kTrialUs;
  trial.id = id;
  return course_.end(trial);
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
