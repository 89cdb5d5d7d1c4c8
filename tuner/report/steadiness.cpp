#include "tuner/report/steadiness.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/drift.hpp"
#include "strategies/racing/sentence.hpp"
#include "strategies/statistics/ratio.hpp"
#include "strategies/statistics/stability.hpp"

namespace netsettle::tuner {
namespace {

using strategies::percent;
using strategies::signed_percent;

std::vector<double> values_of(const StudyView& study, std::int64_t id) {
  std::vector<double> values;
  for (const Trial* trial : study_trials(study, id))
    if (const auto value = strategies::objective_of(study.experiment, *trial)) values.push_back(*value);
  return values;
}

std::string row(std::int64_t id, const strategies::Stability& stability) {
  const auto& range = stability.variation_range;
  return fmt::format("| {}{} | {} | {}{} | {} | {} | {} |\n", id, id == kBaselineId ? " (baseline)" : "", stability.n,
                     percent(stability.variation), range ? fmt::format(" ({} to {})", percent(range->low), percent(range->high)) : "",
                     stability.p5 ? percent(*stability.p5) : "", percent(stability.worst), percent(stability.bad_mode_bound));
}

std::string table(const ReportData& data) {
  std::set<std::int64_t> ids{kBaselineId};
  if (data.verdict) ids.insert({data.verdict->leader_id, data.verdict->configuration_id});
  std::string rows;
  for (const std::int64_t id : ids)
    if (const auto stability = strategies::stability_of(values_of(data.study, id))) rows += row(id, *stability);
  if (rows.empty()) return "";
  return "| configuration | n | coefficient of variation (95 %) | 5 % quantile of mean | worst of mean | trials below 75 % of the median, "
         "at most (95 %) |\n"
         "|---|---:|---|---:|---:|---:|\n" +
         rows;
}

/// What capacity planning asks for; the claim is about logarithms.
std::string arithmetic_ratio(const ReportData& data) {
  if (!data.verdict || data.verdict->leader_id == kBaselineId) return "";
  const auto pairs = strategies::as_measured(
      data.study.experiment,
      strategies::pairs_in(data.study.experiment, strategies::only(strategies::blocks_of(data.study), Purpose::confirm),
                           data.verdict->leader_id));
  const auto ratio = strategies::ratio_in_blocks(pairs.values, pairs.versus);
  if (!ratio) return "";
  return fmt::format("\nThe arithmetic mean of {} of configuration {} is {} (95 % {} to {}, Fieller) against the baseline in {}.\n",
                     data.study.experiment.objective.maximize, data.verdict->leader_id, signed_percent(ratio->ratio - 1),
                     signed_percent(ratio->low - 1), signed_percent(ratio->high - 1),
                     strategies::counted(static_cast<int>(pairs.values.size()), "fresh block"));
}

std::string machine(const StudyView& study) {
  constexpr double kTrials = 100;
  std::string text;
  const strategies::BaselineDrift drift = strategies::baseline_drift(study);
  if (drift.trend)
    text += fmt::format("\nOver 100 trials the baseline itself changed by {} (95 % {} to {}, a straight line through {}).\n",
                        signed_percent(kTrials * drift.trend->slope), signed_percent(kTrials * drift.trend->low),
                        signed_percent(kTrials * drift.trend->high), strategies::counted(drift.n, "trial"));
  for (const Decision& decision : study.decisions)
    if (decision.kind == DecisionKind::drift) text += "\n" + strategies::drift_note(decision) + "\n";
  return text;
}

}  // namespace

std::string steadiness_section(const ReportData& data) {
  const std::string rows = table(data);
  if (rows.empty()) return "";
  return "\n## Steadiness\n\n" + rows + arithmetic_ratio(data) + machine(data.study);
}

}  // namespace netsettle::tuner
