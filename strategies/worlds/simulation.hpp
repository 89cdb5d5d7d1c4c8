#pragma once
// A study on a simulated machine: the course of a study without a machine, whole nights in milliseconds.

#include <expected>
#include <memory>

#include "strategies/course/course.hpp"
#include "strategies/course/memory_recorder.hpp"
#include "strategies/worlds/world.hpp"

namespace netsettle::strategies {

/// A record in which nothing was measured yet: the baseline is configuration 1.
StudyView fresh_study(const Experiment& experiment, const SearchSpace& space);

/// One study. Its record may be taken at any step and given to another Simulation, which goes on as this one would: also where a trial was
/// cut off in its middle, because what a trial shows depends on its place in the study, not on how often it was begun.
class Simulation {
 public:
  /// Kept in memory. Noise is drawn from `study.experiment.study.seed`. `world` must outlive this.
  Simulation(const World& world, StudyView study);
  /// Written through a recorder, which must outlive this, too.
  Simulation(const World& world, StudyView study, Recorder& recorder);

  /// Runs one trial, or plans and decides. False: the study is over. Fails only where the recorder does.
  Expected<bool> advance();
  /// The same for a study in memory.
  bool step() { return advance().value_or(false); }
  const StudyView& study() const { return course_.study(); }

 private:
  Expected<void> run(Trial trial);

  const World* world_;
  std::unique_ptr<Recorder> own_recorder_;
  StudyCourse course_;
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
