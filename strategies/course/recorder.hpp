#pragma once
// Where the course of a study is written down before anything happens: the store of a study, or memory where it is simulated. Each call is
// all or nothing.

#include <cstdint>
#include <vector>

#include "datasets/model/decision.hpp"
#include "datasets/model/trial.hpp"
#include "strategies/racing/next_step.hpp"

namespace netsettle::strategies {

struct PlannedIds {
  std::int64_t trial = 0;
  std::int64_t configuration = 0;
};

class Recorder {
 public:
  virtual ~Recorder() = default;

  /// Configurations (an equal one keeps its id) and trials of a block, in its order.
  virtual Expected<std::vector<PlannedIds>> plan(const RunBlock& block) = 0;
  /// One more attempt in the place of a trial; its id.
  virtual Expected<std::int64_t> repeat(const Trial& next, std::int64_t retry_of) = 0;
  /// Fills id and at_us of each.
  virtual Expected<void> decide(std::vector<Decision>& decisions) = 0;
  /// What a trial showed. `evidence` is null where only the numbers are known.
  virtual Expected<void> record(const Trial& trial, const TrialEvidence* evidence) = 0;
};

}  // namespace netsettle::strategies
