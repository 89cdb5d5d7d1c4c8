#pragma once
// What the renderings of a study are made from, collected once. Everything comes from the record.

#include <optional>
#include <string>
#include <vector>

#include "datasets/store/store.hpp"
#include "strategies/racing/next_step.hpp"

namespace netsettle::tuner {

/// StudyRecord::workload_hash of a record that was made of files: nobody knows their workload.
inline constexpr std::string_view kImportedWorkload = "imported";

/// Borrows the view and the record; they must outlive it.
struct ReportData {
  const StudyView& study;
  const datasets::StudyRecord& record;
  std::vector<strategies::ConfigurationSummary> summaries;
  std::optional<strategies::StudyVerdict> verdict;
  std::optional<strategies::PilotResult> pilot;
};

ReportData collect(const StudyView& study, const datasets::StudyRecord& record);

/// The summary of a configuration; nullptr where it has none.
const strategies::ConfigurationSummary* find_summary(const ReportData& data, std::int64_t configuration_id);
const StudyConfiguration* find_configuration(const StudyView& study, std::int64_t configuration_id);

/// What the study itself measured of a configuration: its trials without profiles, a person's own and those of other records.
std::vector<const Trial*> study_trials(const StudyView& study, std::int64_t configuration_id);

/// Baseline first, then by mean with the better first, those without a measured trial last.
std::vector<strategies::ConfigurationSummary> ranked(const ReportData& data);

/// Why there is no verdict, in a sentence.
std::string no_verdict_sentence(const ReportData& data);

/// What a reader must know before believing the numbers: laboratory, CPUs shared by load and server (from the facts
/// `server_cpus` and `load_cpus`, CPU lists, where the record has them), dropped parameters.
std::vector<std::string> caveats(const ReportData& data);

}  // namespace netsettle::tuner
