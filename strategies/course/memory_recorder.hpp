#pragma once
// A recorder that only numbers things, as the store would: for simulated studies.

#include <map>
#include <string>

#include "strategies/course/recorder.hpp"

namespace netsettle::strategies {

class MemoryRecorder final : public Recorder {
 public:
  /// Goes on after what `study` holds.
  explicit MemoryRecorder(const StudyView& study);

  Expected<std::vector<PlannedIds>> plan(const RunBlock& block) override;
  Expected<std::int64_t> repeat(const Trial& next, std::int64_t retry_of) override;
  Expected<void> decide(std::vector<Decision>& decisions) override;
  Expected<void> record(const Trial& trial, const TrialEvidence* evidence) override;

 private:
  std::map<std::string, std::int64_t> configurations_;  // by canonical text
  std::int64_t last_trial_ = 0, last_decision_ = 0;
};

}  // namespace netsettle::strategies
