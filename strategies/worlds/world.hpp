#pragma once
// Simulated machines with known truth, to judge strategies with: how often a claim is made where nothing is better, how often a real gain
// is found. Nothing here measures anything.

#include <functional>
#include <optional>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

class Random;

/// A second, slower mode of some configurations.
struct SlowMode {
  double probability = 0;                             // of a trial
  double depth = 0;                                   // share of the rate that is lost then: 0.25
  std::function<bool(const Configuration&)> applies;  // absent: to all
};

/// How the whole machine wanders over a night, whatever is tried: a sine with a period of 150 to 500 trials, one step down after trial 20
/// to 300, and a random walk that forgets (0.995 a trial). All are shares of the rate.
struct Wander {
  double swing = 0;  // amplitude of the sine
  double step = 0;
  double walk = 0;  // standard deviation of ln(rate) that a trial adds
};

struct World {
  double level = 100'000;                              // the objective of the baseline, typical (median) trial
  double noise = 0.03;                                 // standard deviation of ln(objective) from trial to trial
  std::vector<double> residuals;                       // of ln(objective), drawn in place of normal noise where there are any
  double block_spread = 0;                             // standard deviation of what a block does to all of its trials
  double drift = 0;                                    // standard deviation of an Ornstein-Uhlenbeck process over trials
  double drift_trials = 40;                            // its time constant
  Wander wander;                                       // in addition to drift
  std::function<double(const Configuration&)> effect;  // true relative difference to the baseline, slow mode aside; absent: all are equal
  std::optional<SlowMode> slow_mode;                   // the same for all configurations that have one
  std::function<SlowMode(const Configuration&)> slow_mode_of;  // or for each its own, in place of the above
  double invalid = 0;                                          // probability that a measurement is invalid
  std::function<bool(const Configuration&)> fails;             // configurations that never work
  std::optional<double> clock;                                 // trials until the clock stops the study
};

/// What is true of one configuration, drift aside.
struct Truth {
  double mean = 0;              // of the objective over many trials, but for the factor exp(noise²/2) that all share; 0 where it fails
  double slow_probability = 0;  // of a trial
  double slow_depth = 0;
  bool fails = false;
};

Truth truth_of(const World& world, const Configuration& configuration);

/// What one trial shows on this machine. A pure function of the seed and the trial's id, block and configuration.
class WorldNoise {
 public:
  WorldNoise(const World& world, std::uint64_t seed) : world_(&world), seed_(seed) {}

  /// Fills state, outcome, reasons and measurements (of `metric`) of a planned trial.
  void measure(Trial& trial, const Configuration& configuration, const std::string& metric);

 private:
  double drift_at(std::int64_t trial_id);
  double wander_at(std::int64_t trial_id);
  double block_effect(int block) const;
  double noise(Random& random) const;

  const World* world_;
  std::uint64_t seed_;
  std::vector<double> drift_, walk_;  // by trial, as far as they were needed
};

}  // namespace netsettle::strategies
