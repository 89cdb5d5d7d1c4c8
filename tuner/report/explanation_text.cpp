#include "tuner/report/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/report/explanation_parts.hpp"
#include "tuner/report/table.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using strategies::Curve;
using strategies::CurvePoint;
using strategies::Explanation;
using strategies::FailurePattern;
using strategies::IndexRange;

constexpr std::size_t kBar = 24;

std::string paragraph(std::string_view text, std::size_t width) {
  std::string lines;
  for (const std::string& line : wrapped(text, width)) lines += line + "\n";
  return lines;
}

std::string path_table(const StudyView& study, const Explanation& explanation, std::size_t width) {
  const std::vector<Column> columns{{"change", Align::left}, {"by the model (95 %)", Align::left}, {"so far", Align::right, 1}};
  std::vector<std::vector<std::string>> rows;
  for (const auto& step : explanation.path)
    rows.push_back({changes_text(study, step.step.changes), interval(interval_of(step.step.gain)),
                    percent(interval_of(step.step.so_far).estimate), measured_text(step)});
  return render_table(columns, "measured in the record", rows, width);
}

std::string range_text(const IndexRange& range) { return fmt::format("{:.2f} ({:.2f} to {:.2f})", range.value, range.low, range.high); }

std::string shares_table(const Explanation& explanation, std::size_t width) {
  const std::vector<Column> columns{{"parameter", Align::left},
                                    {"with interactions", Align::left},
                                    {"alone", Align::left, 1},
                                    {"among the better quarter", Align::left, 2}};
  std::vector<std::vector<std::string>> rows;
  for (const auto& share : explanation.shares)
    rows.push_back({share.parameter, range_text(share.total), range_text(share.first),
                    share.total_among_good ? range_text(*share.total_among_good) : "-", ""});
  return render_table(columns, "", rows, width);
}

/// All curves on one scale, so that bars of different parameters can be compared.
struct Scale {
  double low = 0, high = 0;
};

Scale scale_of(const std::vector<Curve>& curves) {
  Scale scale;
  for (const Curve& curve : curves)
    for (const CurvePoint& point : curve.points) {
      scale.low = std::min(scale.low, point.versus_baseline.mean);
      scale.high = std::max(scale.high, point.versus_baseline.mean);
    }
  return scale;
}

std::string bar(const Scale& scale, double mean) {
  if (!(scale.high > scale.low)) return "";
  const double share = (mean - scale.low) / (scale.high - scale.low);
  return std::string(static_cast<std::size_t>(std::lround(share * static_cast<double>(kBar))), '#');
}

/// "as found (1)", where the value is known: it stands among the other numbers.
std::string value_on_curve(const StudyView& study, const std::string& parameter, const Value& value) {
  const Domain* const domain = study.space.find(parameter);
  const std::string text = value_of_parameter(study, parameter, value);
  if (!std::holds_alternative<AsFound>(value) || domain == nullptr || !domain->as_found) return text;
  return fmt::format("{} ({})", text, value_of_parameter(study, parameter, *domain->as_found));
}

std::string curve_table(const StudyView& study, const Curve& curve, const Scale& scale, std::size_t width) {
  const std::vector<Column> columns{{curve.parameter, Align::right}, {"", Align::left}, {"against the baseline (95 %)", Align::left}};
  std::vector<std::vector<std::string>> rows;
  for (const CurvePoint& point : curve.points)
    rows.push_back({value_on_curve(study, curve.parameter, point.value), point.is_centre ? "<" : " ",
                    interval(interval_of(point.versus_baseline)), bar(scale, point.versus_baseline.mean)});
  return render_table(columns, "", rows, width);
}

std::string curves_text(const StudyView& study, const Explanation& explanation, std::size_t width) {
  std::string text;
  const Scale scale = scale_of(explanation.curves);
  for (const Curve& curve : explanation.curves)
    if (curve.is_visible) text += "\n" + curve_table(study, curve, scale, width);
  return text.empty() ? "No parameter has a visible effect there.\n" : text;
}

std::string pattern_text(const StudyView& study, const FailurePattern& pattern) {
  const std::string value = value_of_parameter(study, pattern.parameter, pattern.value);
  const char* const relation = pattern.kind == FailurePattern::Kind::at_least  ? " of at least "
                               : pattern.kind == FailurePattern::Kind::at_most ? " of at most "
                                                                               : " = ";
  return fmt::format("{}{}{} ({} configurations, none works)", pattern.parameter, relation, value, pattern.configurations);
}

}  // namespace

std::string failures_sentence(const StudyView& study, const strategies::FailureSummary& failures) {
  if (failures.trials == 0) return "Nothing that was tried failed.";
  std::string text = fmt::format("{} of {} configurations failed, in {} trial{}", failures.configurations.size(), failures.tried,
                                 failures.trials, failures.trials == 1 ? "" : "s");
  std::string reasons;
  for (const auto& [code, count] : failures.reasons) reasons += fmt::format("{}{} × {}", reasons.empty() ? "" : ", ", count, code);
  if (!reasons.empty()) text += " (" + reasons + ")";
  std::string patterns;
  for (const FailurePattern& pattern : failures.patterns) patterns += (patterns.empty() ? "" : "; ") + pattern_text(study, pattern);
  return text + (patterns.empty() ? "." : ". In common they have " + patterns + ".");
}

ExplanationData explanation_of(const StudyView& study) {
  return {.explanation = strategies::explain(study), .failures = strategies::failure_summary(study)};
}

std::string explanation_text(const ReportData& data, const ExplanationData& explained, std::size_t width) {
  const std::string failures = "\n" + paragraph(failures_sentence(data.study, explained.failures), width);
  if (!explained.explanation) return paragraph(nothing_to_explain(data), width) + failures;
  const Explanation& explanation = *explained.explanation;
  std::string text = paragraph(headline(data, explanation), width);
  text += paragraph("All that follows is by the model, for understanding; only the verdict makes a claim.", width);
  text += "\nThe way from the baseline, at each step the change that gains most:\n\n" + path_table(data.study, explanation, width);
  text += "\nShares of the variance over the whole space (90 % of the model's draws):\n\n";
  text += explanation.shares.empty() ? "The model sees no differences.\n" : shares_table(explanation, width);
  text += fmt::format("\nOne parameter changed, the others as in configuration {} (<):\n", explanation.configuration_id);
  text += curves_text(data.study, explanation, width);
  if (const std::string sentence = invisible_sentence(explanation); !sentence.empty()) text += "\n" + paragraph(sentence, width);
  return text + failures;
}

std::string explanation_markdown(const ReportData& data, const ExplanationData& explained) {
  if (!explained.explanation) return "";
  const Explanation& explanation = *explained.explanation;
  std::string text = "\n## What bought the gain\n\n" + headline(data, explanation) +
                     " All of this is by the model, for understanding; only the result above makes a claim.\n\n"
                     "| change | by the model (95 %) | so far | measured in the record |\n|---|---|---:|---|\n";
  for (const auto& step : explanation.path)
    text += fmt::format("| {} | {} | {} | {} |\n", changes_text(data.study, step.step.changes), interval(interval_of(step.step.gain)),
                        percent(interval_of(step.step.so_far).estimate), measured_text(step));
  if (!explanation.shares.empty()) text += "\n| parameter | share of the variance with interactions | alone |\n|---|---|---|\n";
  for (const auto& share : explanation.shares)
    text += fmt::format("| {} | {} | {} |\n", share.parameter, range_text(share.total), range_text(share.first));
  if (const std::string sentence = invisible_sentence(explanation); !sentence.empty()) text += "\n" + sentence + "\n";
  return text + "\n" + failures_sentence(data.study, explained.failures) + "\n";
}

}  // namespace netsettle::tuner
