#pragma once
// Simulated machines with known truth, to judge strategies with: how often a claim is made where nothing is better, how often a real gain
// is found. Nothing here measures anything.

#include <functional>
#include <optional>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// A second, slower mode of some configurations.
struct SlowMode {
  double probability = 0;  // of a trial
  double depth = 0;        // share of the rate that is lost then: 0.25
  std::function<bool(const Configuration&)> applies;
};

struct World {
  double level = 100'000;                              // the objective of the baseline
  double noise = 0.03;                                 // standard deviation of ln(objective) from trial to trial
  double block_spread = 0;                             // standard deviation of what a block does to all of its trials
  double drift = 0;                                    // standard deviation of an Ornstein-Uhlenbeck process over trials
  double drift_trials = 40;                            // its time constant
  std::function<double(const Configuration&)> effect;  // true relative difference to the baseline; absent: all are equal
  std::optional<SlowMode> slow_mode;
  double invalid = 0;                               // probability that a measurement is invalid
  std::function<bool(const Configuration&)> fails;  // configurations that never work
  std::optional<double> clock;                      // trials until the clock stops the study
};

/// What one trial shows on this machine. A pure function of the seed and the trial's id, block and configuration; planned → done or failed.
class WorldNoise {
 public:
  WorldNoise(const World& world, std::uint64_t seed) : world_(&world), seed_(seed) {}

  /// Fills state, outcome, reasons and measurements (of `metric`) of a planned trial.
  void measure(Trial& trial, const Configuration& configuration, const std::string& metric);

 private:
  double drift_at(std::int64_t trial_id);
  double block_effect(int block) const;

  const World* world_;
  std::uint64_t seed_;
  std::vector<double> drift_;  // by trial, as far as it was needed
};

}  // namespace netsettle::strategies
