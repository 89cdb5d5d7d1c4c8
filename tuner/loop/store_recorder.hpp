#pragma once
// The course of a study, written to its record.

#include <cstdint>
#include <functional>

#include "datasets/store/store.hpp"
#include "strategies/course/recorder.hpp"

namespace netsettle::tuner {

class StoreRecorder final : public strategies::Recorder {
 public:
  /// `now_us`: UTC in microseconds. Both are borrowed.
  StoreRecorder(datasets::Store& store, std::function<std::int64_t()> now_us) : store_(store), now_us_(std::move(now_us)) {}

  Expected<std::vector<strategies::PlannedIds>> plan(const strategies::RunBlock& block) override;
  Expected<std::int64_t> repeat(const Trial& next, std::int64_t retry_of) override;
  Expected<void> decide(std::vector<Decision>& decisions) override;
  Expected<void> record(const Trial& trial, const TrialEvidence* evidence) override;

 private:
  datasets::Store& store_;
  std::function<std::int64_t()> now_us_;
};

}  // namespace netsettle::tuner
