#pragma once
// Whether a record can be continued by an experiment on a machine, and what has changed since. Nothing is touched here.

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/store/store.hpp"
#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {

/// What a record says before anything is touched.
struct RecordCheck {
  bool exists = false;
  bool finished = false;               // it has its verdict, and the budget does not let it go on
  std::optional<int> least_extension;  // of a finished one: the budget.trials with which it would go on
};

/// mismatch where the record belongs to another experiment, workload or machine: each difference is named. A wider space and another budget
/// are no difference.
Expected<RecordCheck> check_record(const std::filesystem::path& database, const Experiment& experiment, const Machine& machine);

/// The space of the experiment on the recorded machine, without the parameters that the record has dropped.
Expected<SearchSpace> space_on_record(const datasets::StudyRecord& record, const Experiment& experiment);

/// The recorded parameters that may have more values in `space` than they could so far.
std::vector<std::string> widened_parameters(const datasets::StudyRecord& record, const SearchSpace& space);

/// " The search space is wider than it was: …"; empty where it is not.
std::string widened_note(const std::vector<std::string>& parameters);

/// Makes the experiment the recorded one where it is not (another budget, a wider space); what was recorded is kept beside it.
Expected<void> adopt_experiment(datasets::Store& store, const Experiment& experiment, const std::vector<std::string>& overrides);

}  // namespace netsettle::tuner
