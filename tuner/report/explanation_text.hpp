#pragma once
// What bought the gain, for people and programs. Every number is the model's and said to be.

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "strategies/importance/explanation.hpp"
#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

/// An explanation of a study; without one there is nothing to explain yet, which is said. Failures are told in any case.
struct ExplanationData {
  std::optional<strategies::Explanation> explanation;
  strategies::FailureSummary failures;
};

ExplanationData explanation_of(const StudyView& study);

/// The way, the shares, the curves with bars, what has no visible effect, what failed.
std::string explanation_text(const ReportData& data, const ExplanationData& explained, std::size_t width);

/// The section of the Markdown page: the way and the shares. Empty without an explanation.
std::string explanation_markdown(const ReportData& data, const ExplanationData& explained);

/// {"study", "by": "model", "explained", "gain", "path", "shares", "curves", "no_visible_effect", "inactive", "failures"}: relative
/// differences, more is better.
nlohmann::ordered_json explanation_json(const ReportData& data, const ExplanationData& explained);

}  // namespace netsettle::tuner
