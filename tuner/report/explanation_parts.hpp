#pragma once
// Sentences and numbers that the renderings of an explanation share. Private to explanation_*.cpp.

#include <string>
#include <vector>

#include "strategies/importance/explanation.hpp"
#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

/// 95 % of a belief in ln(ratio), as a relative difference.
strategies::Interval95 interval_of(const strategies::NormalBelief& belief);

/// A parameter's value as people write it.
std::string value_of_parameter(const StudyView& study, const std::string& parameter, const Value& value);

/// "rmem: as found → 4 MiB, mode: off → on".
std::string changes_text(const StudyView& study, const std::vector<strategies::ValueChange>& changes);

/// "+3.1 % (+1.0 to +5.2) in 6 blocks"; empty where the record has not measured the step.
std::string measured_text(const strategies::ExplainedStep& step);

/// What is explained, what the model says of it and what the confirmation measured; on a study without a gain, that there is none.
std::string headline(const ReportData& data, const strategies::Explanation& explanation);

std::string nothing_to_explain(const ReportData& data);

/// "No visible effect there: …"; empty where every parameter has one.
std::string invisible_sentence(const strategies::Explanation& explanation);

std::string failures_sentence(const StudyView& study, const strategies::FailureSummary& failures);

}  // namespace netsettle::tuner
