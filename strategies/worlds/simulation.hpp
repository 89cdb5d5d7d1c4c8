#pragma once
// A study on a simulated machine: the loop without a machine. It drives next_step as tuner/loop does.

#include <expected>

#include "strategies/racing/next_step.hpp"
#include "strategies/worlds/world.hpp"

namespace netsettle::strategies {

/// A record in which nothing was measured yet: the baseline is configuration 1.
StudyView fresh_study(const Experiment& experiment, const SearchSpace& space);

/// One study. Its record may be taken at any step and given to another Simulation, which goes on as this one would.
class Simulation {
 public:
  /// Noise is drawn from `study.experiment.study.seed`. `world` must outlive this.
  Simulation(const World& world, StudyView study);

  /// Runs one planned trial, or asks for the next step. False: the study is over.
  bool step();
  const StudyView& study() const { return study_; }

 private:
  BudgetLeft left() const;
  void run(std::size_t index);
  void plan(const RunBlock& block);
  void decide(const Decide& decide);
  std::int64_t id_of(const Configuration& configuration, const std::string& origin);

  const World* world_;
  StudyView study_;
  WorldNoise noise_;
};

struct SimulatedStudy {
  StudyView study;
  StudyVerdict verdict;
};

/// A whole study with this seed. Failure: the search space cannot be worked out from `facts`.
std::expected<SimulatedStudy, Errors> simulate_study(const World& world, Experiment experiment, std::uint64_t seed,
                                                     const Facts& facts = {});

}  // namespace netsettle::strategies
