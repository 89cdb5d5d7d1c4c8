#include "tuner/loop/own_trials.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "strategies/designs/random.hpp"
#include "strategies/racing/next_step.hpp"
#include "tuner/report/account.hpp"

namespace netsettle::tuner {
namespace {

constexpr std::uint64_t kOwnSeed = 0x726572756e;

int lowest_block(const StudyView& study) {
  int lowest = 0;
  for (const Trial& trial : study.trials) lowest = std::min(lowest, trial.block);
  return lowest;
}

TrialState final_state(const TrialEvidence& evidence, const Verdict& verdict) {
  if (evidence.failure == TrialFailure::interrupted) return TrialState::interrupted;
  return verdict.outcome == Outcome::failed ? TrialState::failed : TrialState::done;
}

Expected<std::int64_t> planned_in(datasets::Store& store, const Trial& trial, const std::optional<std::int64_t>& retry_of) {
  NETSETTLE_ASSIGN(const auto ids, store.plan_trials({{.configuration_id = trial.configuration_id,
                                                       .purpose = trial.purpose,
                                                       .block = trial.block,
                                                       .position = trial.position,
                                                       .attempt = trial.attempt,
                                                       .retry_of = retry_of,
                                                       .seed = trial.seed}}));
  return ids.front();
}

}  // namespace

Expected<std::vector<OwnTrial>> plan_own_blocks(const StudyView& study, const std::vector<std::int64_t>& configurations, int blocks) {
  for (const std::int64_t id : configurations)
    if (std::ranges::find(study.configurations, id, &StudyConfiguration::id) == study.configurations.end())
      return fail(ErrorCode::not_found, fmt::format("configuration {}", id), "is not in the record");
  const int first = lowest_block(study) - 1;
  std::vector<OwnTrial> trials;
  for (int i = 0; i < blocks; ++i) {
    const int block = first - i;
    const std::uint64_t seed = strategies::derive_seed(strategies::block_seed(study.experiment.study.seed, block), kOwnSeed);
    std::vector<std::int64_t> order = configurations;
    strategies::Random random(seed);
    strategies::shuffle(order, random);
    for (std::size_t position = 0; position < order.size(); ++position)
      trials.push_back({.configuration_id = order[position],
                        .block = block,
                        .position = static_cast<int>(position),
                        .ports_block = block,
                        .seed = strategies::derive_seed(seed, position + 1)});
  }
  return trials;
}

Expected<Trial> run_own_trial(TrialSession& session, datasets::Store* store, const StudyView& study, const OwnTrial& planned,
                              const runners::StopFlag& stop, const std::function<std::int64_t()>& now_us,
                              const std::function<void(TrialState)>& on_state) {
  const auto configuration = std::ranges::find(study.configurations, planned.configuration_id, &StudyConfiguration::id);
  NETSETTLE_ASSIGN(const auto settings, study.space.settings_of(configuration->configuration));
  Trial trial{.configuration_id = planned.configuration_id,
              .purpose = Purpose::manual,
              .block = planned.block,
              .position = planned.position,
              .attempt = planned.attempt,
              .seed = planned.seed};
  if (store != nullptr) {
    NETSETTLE_ASSIGN(trial.id, planned_in(*store, trial, planned.retry_of));
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

}  // namespace netsettle::tuner
