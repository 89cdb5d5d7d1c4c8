#pragma once
// From a setting as a trial applied it to a setting of a bundle: which kernel files, which texts.

#include <map>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/trial.hpp"
#include "tuner/bundle/bundle.hpp"

namespace netsettle::tuner {

/// Path → text before the study's first write to it.
using Originals = std::map<std::string, std::string>;

/// Keeps what is known already: trials are noted in the order in which they ran.
void note_originals(const std::vector<AppliedSetting>& rows, Originals& originals);

/// `row` of a measured trial, with all its files: their effective texts are what the configuration ran with.
BundleSetting bundle_setting(const AppliedSetting& row, const Originals& originals);

/// Of a record that has only the first file of a setting. `as_found` is the value that the machine had, from StudyRecord::as_found.
/// `rps_cpus`: the CPUs that queues.rps.count takes, in this order. Failures: unsupported for settings of which the first file does not say
/// all; invalid_input for a count of queues.rps.count beyond the CPUs.
Expected<BundleSetting> bundle_setting_of_old_record(const AppliedSetting& row, const Value& as_found, const std::vector<CpuId>& rps_cpus);

}  // namespace netsettle::tuner
