#include "tuner/loop/rerun.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "strategies/course/pending.hpp"
#include "strategies/designs/blocks.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/statistics/comparison.hpp"
#include "strategies/statistics/summary.hpp"
#include "strategies/statistics/unpaired.hpp"
#include "tuner/report/account.hpp"

namespace netsettle::tuner {
namespace {

using strategies::Interval95;

constexpr double kAlpha = 0.025;
constexpr std::uint64_t kRerunSeed = 0x726572756e;  // "rerun"

int lowest_block(const StudyView& study) {
  int lowest = 0;
  for (const Trial& trial : study.trials) lowest = std::min(lowest, trial.block);
  return lowest;
}

TrialState final_state(const TrialEvidence& evidence, const Verdict& verdict) {
  if (evidence.failure == TrialFailure::interrupted) return TrialState::interrupted;
  return verdict.outcome == Outcome::failed ? TrialState::failed : TrialState::done;
}

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

Expected<std::vector<RerunTrial>> plan_rerun(const StudyView& study, const RerunRequest& request) {
  const auto known = std::ranges::find(study.configurations, request.configuration_id, &StudyConfiguration::id);
  if (known == study.configurations.end())
    return fail(ErrorCode::not_found, fmt::format("configuration {}", request.configuration_id), "is not in the record");
  const auto repeated = request.trial_id ? std::ranges::find(study.trials, *request.trial_id, &Trial::id) : study.trials.end();
  const int first = lowest_block(study) - 1;
  const bool interleaved = request.repeats > 1 && request.configuration_id != kBaselineId;
  std::vector<RerunTrial> trials;
  for (int i = 0; i < request.repeats; ++i) {
    const int block = first - i;
    const std::uint64_t seed = strategies::derive_seed(strategies::block_seed(study.experiment.study.seed, block), kRerunSeed);
    std::vector<std::int64_t> order = {request.configuration_id};
    if (interleaved) order.push_back(kBaselineId);
    strategies::Random random(seed);
    strategies::shuffle(order, random);
    for (std::size_t position = 0; position < order.size(); ++position)
      trials.push_back({.configuration_id = order[position],
                        .block = block,
                        .position = static_cast<int>(position),
                        .ports_block = repeated == study.trials.end() ? block : repeated->block,
                        .seed = strategies::derive_seed(seed, position + 1)});
  }
  return trials;
}

Expected<Trial> run_again(TrialSession& session, datasets::Store* store, const StudyView& study, const RerunTrial& planned,
                          const runners::StopFlag& stop, const std::function<std::int64_t()>& now_us,
                          const std::function<void(TrialState)>& on_state) {
  const auto configuration = std::ranges::find(study.configurations, planned.configuration_id, &StudyConfiguration::id);
  NETSETTLE_ASSIGN(const auto settings, study.space.settings_of(configuration->configuration));
  Trial trial{.configuration_id = planned.configuration_id,
              .purpose = Purpose::manual,
              .block = planned.block,
              .position = planned.position,
              .seed = planned.seed};
  if (store != nullptr) {
    NETSETTLE_ASSIGN(const auto ids, store->plan_trials({{.configuration_id = trial.configuration_id,
                                                          .purpose = trial.purpose,
                                                          .block = trial.block,
                                                          .position = trial.position,
                                                          .seed = trial.seed}}));
    trial.id = ids.front();
  }
  Expected<void> recorded;
  trial.started_us = now_us();
  ExplainedTrial explained = session.run(settings, planned.ports_block, stop, [&](TrialState state) {
    if (store != nullptr && recorded) recorded = store->set_trial_state(trial.id, state);
    on_state(state);
  });
  NETSETTLE_TRY(std::move(recorded));
  trial.ended_us = now_us();
  const Verdict& verdict = explained.judgement.verdict;
  trial.state = final_state(explained.evidence, verdict);
  trial.outcome = verdict.outcome;
  trial.suspect = verdict.suspect;
  trial.reasons = verdict.reasons;
  trial.measurements = explained.judgement.measurements;
  explained.evidence.artifacts.push_back({"account", account_of(explained.evidence).dump()});
  if (store == nullptr) return trial;
  NETSETTLE_TRY(store->record_trial(trial.id, {.state = trial.state,
                                               .verdict = verdict,
                                               .measurements = trial.measurements,
                                               .evidence = &explained.evidence,
                                               .started_us = trial.started_us,
                                               .ended_us = trial.ended_us}));
  return trial;
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
