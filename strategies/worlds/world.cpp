#include "strategies/worlds/world.hpp"

#include <cmath>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {
namespace {

// Purposes of the seeds.
constexpr std::uint64_t kTrials = 1, kBlocks = 2, kDrift = 3;

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t purpose, std::int64_t number) {
  return derive_seed(derive_seed(seed, purpose), static_cast<std::uint64_t>(number));
}

void finish(Trial& trial, Outcome outcome, std::string reason) {
  trial.state = outcome == Outcome::failed ? TrialState::failed : TrialState::done;
  trial.outcome = outcome;
  if (!reason.empty()) trial.reasons.push_back({std::move(reason), "simulated"});
}

}  // namespace

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

double WorldNoise::block_effect(int block) const { return world_->block_spread * Random(seed_of(seed_, kBlocks, block)).normal(); }

void WorldNoise::measure(Trial& trial, const Configuration& configuration, const std::string& metric) {
  Random random(seed_of(seed_, kTrials, trial.id));
  if (world_->fails && world_->fails(configuration)) return finish(trial, Outcome::failed, "server-start-failed");
  if (random.uniform() < world_->invalid) return finish(trial, Outcome::invalid, "clock-step");
  const double effect = world_->effect ? world_->effect(configuration) : 0;
  double logarithm = std::log(world_->level) + std::log1p(effect) + world_->noise * random.normal();
  logarithm += block_effect(trial.block) + drift_at(trial.id);
  if (world_->slow_mode && world_->slow_mode->applies(configuration) && random.uniform() < world_->slow_mode->probability)
    logarithm += std::log1p(-world_->slow_mode->depth);
  trial.measurements[metric] = std::exp(logarithm);
  finish(trial, Outcome::measured, {});
}

}  // namespace netsettle::strategies
