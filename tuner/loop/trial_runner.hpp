#pragma once
// One planned trial: run, judged, committed, told.

#include "datasets/store/store.hpp"
#include "strategies/course/course.hpp"
#include "tuner/loop/observer.hpp"
#include "tuner/loop/rig_session.hpp"

namespace netsettle::tuner {

/// The first source port of a block's load: drawn from the study's seed and the block, below the kernel's own range and away from the
/// server's port. Absent where the experiment leaves the ports to the kernel.
std::optional<int> first_source_port(const Experiment& experiment, int block);

/// The sentence of the first abort_if condition that holds after these trials (by default: memory available below 5 %, five failures in a
/// row).
std::optional<std::string> abort_condition(const Experiment& experiment, const std::vector<Trial>& trials);

class TrialRunner {
 public:
  TrialRunner(runners::Host& host, RigSession& rig, datasets::Store& store, Observer& observer, const runners::StopFlag& stop)
      : host_(host), rig_(rig), store_(store), observer_(observer), stop_(stop) {}

  /// Fails only where the record cannot be written.
  Expected<void> run(const Trial& planned, strategies::StudyCourse& course, const Progress& progress);

 private:
  runners::Host& host_;
  RigSession& rig_;
  datasets::Store& store_;
  Observer& observer_;
  const runners::StopFlag& stop_;
};

}  // namespace netsettle::tuner
