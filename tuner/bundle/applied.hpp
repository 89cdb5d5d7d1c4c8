#pragma once
// From a setting as a trial applied it to a setting of a bundle: which kernel file, which text.

#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/trial.hpp"
#include "tuner/bundle/bundle.hpp"

namespace netsettle::tuner {

/// `row` of a measured trial: its target names the (first) file, its effective value is what the configuration ran with. `as_found` is the
/// value that the machine had, from StudyRecord::as_found. `rps_cpus`: the CPUs that queues.rps.count takes, in this order.
/// Failure: invalid_input for a count of queues.rps.count beyond them.
Expected<BundleSetting> bundle_setting(const AppliedSetting& row, const Value& as_found, const std::vector<CpuId>& rps_cpus);

}  // namespace netsettle::tuner
