#include "strategies/racing/drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/racing/sentence.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kSameStep = 3;  // points by which the place of a recorded step may move when later trials are known

StepOptions step_options(const StudyView& study) { return {.noise = pilot_noise(study)}; }

/// Whether a decision speaks of this step already.
bool is_recorded(const StudyView& study, const BaselineSeries& series, const Step& step) {
  const std::size_t first = step.at - std::min(step.at, kSameStep), last = std::min(series.trials.size() - 1, step.at + kSameStep);
  return std::ranges::any_of(study.decisions, [&](const Decision& decision) {
    if (decision.kind != DecisionKind::drift) return false;
    const auto trial = number_in_inputs(decision, "first_trial_after");
    return trial && series.trials[first]->id <= *trial && *trial <= series.trials[last]->id;
  });
}

Decision drift_decision(const StudyView& study, const BaselineSeries& series, const Step& step) {
  const StepOptions options = step_options(study);
  nlohmann::json inputs = {{"last_trial_before", series.trials[step.at - 1]->id},
                           {"first_trial_after", series.trials[step.at]->id},
                           {"first_block_after", series.trials[step.at]->block},
                           {"least_multiple_of_noise", options.least_multiple},
                           {"log_before", step.before},
                           {"log_after", step.after}};
  if (options.noise) inputs["noise"] = *options.noise;
  for (const Trial* trial : series.trials) inputs["trials"].push_back(trial->id);
  return {.kind = DecisionKind::drift,
          .configuration_id = kBaselineId,
          .versus = kBaselineId,
          .method = "e-divisive-t",
          .n = static_cast<int>(series.trials.size()),
          .effect = std::expm1(step.after - step.before),
          .p = step.p,
          .alpha = options.p,
          .inputs_json = inputs.dump()};
}

}  // namespace

BaselineSeries baseline_series(const StudyView& study) {
  BaselineSeries series;
  for (const Block& block : blocks_of(study))
    for (const Trial* trial : block.trials)
      if (trial->configuration_id == kBaselineId && !trial->imported_from && objective_of(study.experiment, *trial))
        series.trials.push_back(trial);
  std::ranges::sort(series.trials, {}, &Trial::id);  // a repeated trial ran after its block's others
  for (const Trial* trial : series.trials) series.logs.push_back(std::log(*objective_of(study.experiment, *trial)));
  return series;
}

BaselineDrift baseline_drift(const StudyView& study) {
  const BaselineSeries series = baseline_series(study);
  std::vector<double> times;
  for (const Trial* trial : series.trials) times.push_back(static_cast<double>(trial->id));
  return {.n = static_cast<int>(series.trials.size()),
          .trend = linear_trend(times, series.logs),
          .steps = find_steps(series.logs, step_options(study))};
}

std::vector<Decision> drift_decisions(const StudyView& study) {
  const BaselineSeries series = baseline_series(study);
  std::vector<Decision> decisions;
  for (const Step& step : find_steps(series.logs, step_options(study)))
    if (!is_recorded(study, series, step)) decisions.push_back(drift_decision(study, series, step));
  return decisions;
}

std::string drift_note(const Decision& decision) {
  const auto block = number_in_inputs(decision, "first_block_after");
  return fmt::format(
      "The machine itself changed by {}{} while its settings were the same; differences within blocks are not touched by it.",
      signed_percent(decision.effect.value_or(0)), block ? fmt::format(" before block {}", *block) : "");
}

}  // namespace netsettle::strategies
