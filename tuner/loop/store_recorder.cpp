#include "tuner/loop/store_recorder.hpp"

namespace netsettle::tuner {

Expected<std::vector<strategies::PlannedIds>> StoreRecorder::plan(const strategies::RunBlock& block) {
  std::vector<datasets::BlockTrial> rows;
  for (const strategies::BlockTrial& trial : block.trials)
    rows.push_back({.configuration = trial.configuration,
                    .origin = trial.origin,
                    .trial = {.configuration_id = 0,
                              .purpose = block.purpose,
                              .block = block.block,
                              .position = static_cast<int>(rows.size()),
                              .attempt = 1,
                              .retry_of = std::nullopt,
                              .seed = trial.seed}});
  NETSETTLE_ASSIGN(const auto planned, store_.plan_block(rows));
  std::vector<strategies::PlannedIds> ids;
  for (const auto& [trial, configuration] : planned) ids.push_back({.trial = trial, .configuration = configuration});
  return ids;
}

Expected<std::int64_t> StoreRecorder::repeat(const Trial& next, std::int64_t retry_of) {
  NETSETTLE_ASSIGN(const auto ids, store_.plan_trials({{.configuration_id = next.configuration_id,
                                                        .purpose = next.purpose,
                                                        .block = next.block,
                                                        .position = next.position,
                                                        .attempt = next.attempt,
                                                        .retry_of = retry_of,
                                                        .seed = next.seed}}));
  return ids.front();
}

Expected<void> StoreRecorder::decide(std::vector<Decision>& decisions) {
  for (Decision& decision : decisions) decision.at_us = now_us_();
  return store_.add_decisions(decisions);
}

Expected<void> StoreRecorder::record(const Trial& trial, const TrialEvidence* evidence) {
  return store_.record_trial(trial.id, {.state = trial.state,
                                        .verdict = {trial.outcome.value_or(Outcome::invalid), trial.suspect, trial.reasons},
                                        .measurements = trial.measurements,
                                        .evidence = evidence,
                                        .started_us = trial.started_us,
                                        .ended_us = trial.ended_us});
}

}  // namespace netsettle::tuner
