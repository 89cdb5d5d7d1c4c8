#include "strategies/worlds/world.hpp"

#include <cmath>
#include <numbers>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {
namespace {

// Purposes of the seeds.
constexpr std::uint64_t kTrials = 1, kBlocks = 2, kDrift = 3, kWander = 4, kWalk = 5;
constexpr double kWalkMemory = 0.995;

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t purpose, std::int64_t number) {
  return derive_seed(derive_seed(seed, purpose), static_cast<std::uint64_t>(number));
}

void finish(Trial& trial, Outcome outcome, std::string reason) {
  trial.state = outcome == Outcome::failed ? TrialState::failed : TrialState::done;
  trial.outcome = outcome;
  if (!reason.empty()) trial.reasons.push_back({std::move(reason), "simulated"});
}

/// Of depth 0 where the configuration has none.
SlowMode slow_mode(const World& world, const Configuration& configuration) {
  if (world.slow_mode_of) return world.slow_mode_of(configuration);
  if (!world.slow_mode) return {};
  if (world.slow_mode->applies && !world.slow_mode->applies(configuration)) return {};
  return *world.slow_mode;
}

double effect_of(const World& world, const Configuration& configuration) { return world.effect ? world.effect(configuration) : 0; }

}  // namespace

Truth truth_of(const World& world, const Configuration& configuration) {
  if (world.fails && world.fails(configuration)) return {.fails = true};
  const SlowMode slow = slow_mode(world, configuration);
  return {.mean = world.level * (1 + effect_of(world, configuration)) * (1 - slow.probability * slow.depth),
          .slow_probability = slow.probability,
          .slow_depth = slow.depth};
}

double WorldNoise::drift_at(std::int64_t trial_id) {
  if (world_->drift <= 0) return 0;
  const double memory = std::exp(-1 / world_->drift_trials);
  while (std::ssize(drift_) <= trial_id) {
    Random random(seed_of(seed_, kDrift, std::ssize(drift_)));
    const double shock = world_->drift * random.normal();
    drift_.push_back(drift_.empty() ? shock : memory * drift_.back() + std::sqrt(1 - memory * memory) * shock);
  }
  return drift_[static_cast<std::size_t>(trial_id)];
}

double WorldNoise::wander_at(std::int64_t trial_id) {
  const Wander& wander = world_->wander;
  if (wander.swing == 0 && wander.step == 0 && wander.walk == 0) return 0;
  Random night(derive_seed(seed_, kWander));
  const double phase = 2 * std::numbers::pi * night.uniform();
  const double period = 150 + 350 * night.uniform();
  const std::int64_t step_after = night.integer(20, 300);
  double logarithm = std::log1p(wander.swing * std::sin(2 * std::numbers::pi * static_cast<double>(trial_id) / period + phase));
  if (trial_id > step_after) logarithm += std::log1p(-wander.step);
  if (wander.walk <= 0) return logarithm;
  while (std::ssize(walk_) <= trial_id) {
    const double shock = wander.walk * Random(seed_of(seed_, kWalk, std::ssize(walk_))).normal();
    walk_.push_back((walk_.empty() ? 0 : kWalkMemory * walk_.back()) + shock);
  }
  return logarithm + walk_[static_cast<std::size_t>(trial_id)];
}

double WorldNoise::block_effect(int block) const { return world_->block_spread * Random(seed_of(seed_, kBlocks, block)).normal(); }

double WorldNoise::noise(Random& random) const {
  if (world_->residuals.empty()) return world_->noise * random.normal();
  return world_->residuals[random.index(world_->residuals.size())];
}

void WorldNoise::measure(Trial& trial, const Configuration& configuration, const std::string& metric) {
  Random random(seed_of(seed_, kTrials, trial.id));
  if (world_->fails && world_->fails(configuration)) return finish(trial, Outcome::failed, "server-start-failed");
  if (random.uniform() < world_->invalid) return finish(trial, Outcome::invalid, "clock-step");
  double logarithm = std::log(world_->level) + std::log1p(effect_of(*world_, configuration)) + noise(random);
  logarithm += block_effect(trial.block) + drift_at(trial.id) + wander_at(trial.id);
  const SlowMode slow = slow_mode(*world_, configuration);
  if (slow.probability > 0 && random.uniform() < slow.probability) logarithm += std::log1p(-slow.depth);
  trial.measurements[metric] = std::exp(logarithm);
  finish(trial, Outcome::measured, {});
}

}  // namespace netsettle::strategies
