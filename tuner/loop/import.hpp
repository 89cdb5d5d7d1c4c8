#pragma once
// A study made of old result files: the record of runs that netsettle did not make, for `show`, `report` and `db export`.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/store/store.hpp"
#include "tuner/loop/import_files.hpp"

namespace netsettle::tuner {

struct ImportRequest {
  std::string name;                     // of the study
  std::string origin;                   // where the files were, for the record
  std::vector<ImportedRun> runs;        // by time; at least one
  std::optional<std::string> baseline;  // "threads=1,rmem=8M"; absent: what was measured first
  datasets::SessionInfo session;        // who imports
  std::int64_t now_us = 0;
};

/// What the runs mean as a study.
struct ImportedStudy {
  std::string spec_text;       // an experiment file of rig.kind = "external" whose parameters are the labels
  std::vector<Labels> labels;  // of each run, none missing
  std::vector<int> blocks;     // of each run: a block ends where a configuration comes again
  Labels baseline;
};

/// A label that a run lacks is "unset". Failures: invalid_input where the runs are of several load generators, no name gives any label, a
/// label cannot name a parameter, or no run has the baseline.
Expected<ImportedStudy> plan_import(const ImportRequest& request);

/// Makes the record. Each run is a search trial with "imported_from" and the raw output; "value" is its queries per second. On failure
/// nothing is left. Failures: those of plan_import; conflict where `database` exists.
Expected<void> import_study(const std::filesystem::path& database, const ImportRequest& request);

}  // namespace netsettle::tuner
