#pragma once
// A study as its record has it: from the stored rows to the view that strategies and reports look at.

#include <filesystem>
#include <string>

#include "datasets/model/study_view.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::tuner {

/// "./NAME.netsettle.db" for a study of this name.
std::filesystem::path default_database(const std::string& study_name);

/// The experiment as it was written (text and overrides parsed again).
Expected<Experiment> parsed_experiment(const datasets::StudyRecord& record);

/// `experiment` without the parameters that the record has dropped.
Experiment without_dropped(Experiment experiment, const datasets::StudyRecord& record);

/// The experiment as the record has it: parsed_experiment without_dropped.
Expected<Experiment> recorded_experiment(const datasets::StudyRecord& record);

/// Everything recorded, in one piece. mismatch where the stored experiment does not parse (a newer netsettle wrote it).
Expected<StudyView> load_view(const datasets::Store& store);

/// The trials of a study that are still to come may follow another budget than the recorded one: replaces [budget] of `view`.
void use_budget(StudyView& view, const BudgetSection& budget);

}  // namespace netsettle::tuner
