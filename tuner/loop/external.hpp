#pragma once
// What a study of rig.kind = "external" is made of where others have a machine: nothing but the experiment.

#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {

/// No facts, and one workload for all: what the other program does is not known here.
Machine external_machine();

/// The space of the experiment, whose defaults are the baseline.
std::expected<ResolvedSpace, Errors> external_space(const Experiment& experiment);

}  // namespace netsettle::tuner
