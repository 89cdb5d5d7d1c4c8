#include "strategies/course/memory_recorder.hpp"

namespace netsettle::strategies {

MemoryRecorder::MemoryRecorder(const StudyView& study) {
  for (const StudyConfiguration& known : study.configurations) configurations_[canonical_text(known.configuration)] = known.id;
  if (!study.trials.empty()) last_trial_ = study.trials.back().id;
  if (!study.decisions.empty()) last_decision_ = study.decisions.back().id;
}

Expected<std::vector<PlannedIds>> MemoryRecorder::plan(const RunBlock& block) {
  std::vector<PlannedIds> ids;
  for (const BlockTrial& trial : block.trials) {
    const auto [known, is_new] = configurations_.try_emplace(canonical_text(trial.configuration), std::ssize(configurations_) + 1);
    ids.push_back({.trial = ++last_trial_, .configuration = known->second});
  }
  return ids;
}

Expected<std::int64_t> MemoryRecorder::repeat(const Trial& /*next*/, std::int64_t /*retry_of*/) { return ++last_trial_; }

Expected<void> MemoryRecorder::decide(std::vector<Decision>& decisions) {
  for (Decision& decision : decisions) decision.id = ++last_decision_;
  return {};
}

Expected<void> MemoryRecorder::record(const Trial& /*trial*/, const TrialEvidence* /*evidence*/) { return {}; }

}  // namespace netsettle::strategies
