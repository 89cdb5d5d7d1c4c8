#pragma once
// The studies of `simulate`: every machine, strategy and budget with the same seeds, on some threads.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runners/hosts/clock.hpp"
#include "strategies/worlds/test_bed.hpp"

namespace netsettle::tuner {

struct SimulationPlan {
  std::vector<strategies::TestMachine> machines;
  std::vector<StrategyKind> strategies;
  std::vector<int> budgets;
  int studies = 20;                // of each machine, strategy and budget
  std::uint64_t first_seed = 500;  // study i has the seed first_seed + i in all of them
  int jobs = 1;                    // threads
};

struct SimulatedRun {
  std::uint64_t seed = 0;
  strategies::StudyScore score;
  double cpu_s = 0;           // of the whole study
  double slowest_step_s = 0;  // of the clock on the wall: the longest that a proposal or a decision took
};

/// One row of the result.
struct SimulatedCell {
  const strategies::TestMachine* machine = nullptr;
  StrategyKind strategy = StrategyKind::automatic;
  int budget = 0;
  std::string choice;              // which strategy ran and why, in one sentence
  std::vector<SimulatedRun> runs;  // by seed; fewer than planned where it was stopped
};

struct SimulationProgress {
  int done = 0, all = 0;              // studies
  double share = 0;                   // of the work, where a study's work grows with the square of its trials
  const SimulatedCell* at = nullptr;  // where the study that ended last belongs
};

/// `plan` must outlive the result. `progress` is called after each study, by one thread at a time. Ends early once `stop` is set: studies
/// that are not over are left out.
std::vector<SimulatedCell> run_simulations(const SimulationPlan& plan, const runners::StopFlag& stop,
                                           const std::function<void(const SimulationProgress&)>& progress);

}  // namespace netsettle::tuner
