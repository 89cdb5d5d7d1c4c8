#pragma once
// One function per table of the experiment file: table → section of Experiment, mistakes into the reader's diagnostics.
// [parameters.*] has its own file. Private to this folder.

#include <filesystem>

#include "datasets/model/table_reader.hpp"

namespace netsettle {

void read_study(TableReader& reader, StudySection& study);
/// `folder` is what relative paths in the file are relative to; so below.
void read_rig(TableReader& reader, const std::filesystem::path& folder, RigSection& rig);
void read_server(TableReader& reader, ServerSection& server);
void read_load(TableReader& reader, const std::filesystem::path& folder, LoadSection& load);
void read_trial(TableReader& reader, RigKind rig, TrialSection& trial);
void read_objective(TableReader& reader, RigKind rig, ObjectiveSection& objective);
/// strategy and repeats; `start` needs the parameters, see experiment_parameters.hpp.
void read_search(TableReader& reader, SearchSection& search);
void read_budget(TableReader& reader, BudgetSection& budget);
void read_safety(TableReader& reader, SafetySection& safety);
void read_notify(TableReader& reader, NotifySection& notify);

/// One of a few words or a CPU list, which becomes canonical.
void read_words_or_cpus(TableReader& reader, std::string_view key, const std::vector<std::string>& words, std::string& destination);

/// Which names a condition over metrics may use: those of metric.hpp, or whatever the program that runs the trials tells.
enum class MetricNames { documented, any };

/// Conditions over metrics ("lost_percent <= 0.1"), of subject_to and abort_if.
std::vector<Expression> read_metric_conditions(TableReader& reader, std::string_view key, MetricNames names);

/// A table or key that has no meaning where another program runs the trials (rig.kind = "external").
void means_nothing_outside(Diagnostics& diagnostics, const TomlPosition& position, std::string_view what);

}  // namespace netsettle
