#pragma once
// How a restore is told, shared by `run` and `restore`.

#include "runners/settings/guard.hpp"

namespace netsettle::tuner {

enum class Detail { failures, all, intentions };  // intentions: a dry run, nothing has happened
/// Prints the items; kDone, or kNotRestored where something could not be given back.
int print_restored(const runners::RestoreReport& report, Detail detail);

}  // namespace netsettle::tuner
