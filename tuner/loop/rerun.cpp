#include "tuner/loop/rerun.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/course/pending.hpp"
#include "strategies/designs/blocks.hpp"
#include "strategies/statistics/comparison.hpp"
#include "strategies/statistics/summary.hpp"
#include "strategies/statistics/unpaired.hpp"

namespace netsettle::tuner {
namespace {

using strategies::Interval95;

constexpr double kAlpha = 0.025;

/// A study of these trials only.
StudyView view_of(const StudyView& study, const std::vector<Trial>& trials) {
  return {.experiment = study.experiment, .space = study.space, .configurations = study.configurations, .trials = trials, .decisions = {}};
}

std::vector<double> values_of(const StudyView& study, std::int64_t configuration_id) {
  std::vector<double> values;
  for (const Trial& trial : study.trials)
    if (trial.configuration_id == configuration_id)
      if (const auto value = strategies::measured_objective(study.experiment, trial)) values.push_back(*value);
  return values;
}

std::optional<Values> summary_of(const std::vector<double>& values) {
  const auto summary = strategies::summarise_values(values);
  if (!summary) return std::nullopt;
  return Values{.n = summary->n, .mean = summary->mean, .minimum = summary->minimum, .maximum = summary->maximum};
}

std::optional<Interval95> change_of(const std::vector<double>& logs_before, const std::vector<double>& logs_now) {
  const auto comparison = strategies::compare_unpaired_log(logs_before, logs_now, kAlpha);
  if (!comparison) return std::nullopt;
  return Interval95{comparison->effect, comparison->low, comparison->high};
}

std::optional<Interval95> gain_of(const std::vector<double>& log_differences) {
  const auto comparison = strategies::compare_paired_log(log_differences, kAlpha);
  if (!comparison) return std::nullopt;
  return Interval95{comparison->effect, comparison->low, comparison->high};
}

std::vector<double> logs(std::vector<double> values) {
  std::ranges::for_each(values, [](double& value) { value = std::log(value); });
  return values;
}

/// By the confirmation where there is one: what won in the search looks better there than it is.
std::vector<double> gains_of(const StudyView& study, std::int64_t configuration_id) {
  const auto blocks = strategies::blocks_of(study);
  auto gains = strategies::log_differences(study.experiment, strategies::only(blocks, Purpose::confirm), configuration_id);
  return gains.empty() ? strategies::log_differences(study.experiment, blocks, configuration_id) : gains;
}

bool holds_zero(const Interval95& interval) { return interval.low <= 0 && interval.high >= 0; }

}  // namespace

Expected<std::vector<OwnTrial>> plan_rerun(const StudyView& study, const RerunRequest& request) {
  std::vector<std::int64_t> configurations = {request.configuration_id};
  if (request.repeats > 1 && request.configuration_id != kBaselineId) configurations.push_back(kBaselineId);
  NETSETTLE_ASSIGN(auto trials, plan_own_blocks(study, configurations, request.repeats));
  const auto repeated = request.trial_id ? std::ranges::find(study.trials, *request.trial_id, &Trial::id) : study.trials.end();
  if (repeated != study.trials.end())
    for (OwnTrial& trial : trials) trial.ports_block = repeated->block;
  return trials;
}

RerunComparison compare_rerun(const StudyView& study, std::int64_t configuration_id, const std::vector<Trial>& trials) {
  StudyView before = study;
  std::erase_if(before.trials, [](const Trial& trial) { return !strategies::belongs_to_course(trial); });
  const StudyView now = view_of(study, trials);
  const auto values_before = values_of(before, configuration_id), values_now = values_of(now, configuration_id);
  RerunComparison result{.before = summary_of(values_before), .now = summary_of(values_now)};
  result.change = change_of(logs(values_before), logs(values_now));
  if (configuration_id != kBaselineId) {
    const auto gains_before = gains_of(before, configuration_id), gains_now = gains_of(now, configuration_id);
    result.gain_before = gain_of(gains_before);
    result.gain_now = gain_of(gains_now);
    result.gain_change = change_of(gains_before, gains_now);
  }
  if (const auto& decisive = result.gain_change ? result.gain_change : result.change) result.agrees = holds_zero(*decisive);
  return result;
}

}  // namespace netsettle::tuner
