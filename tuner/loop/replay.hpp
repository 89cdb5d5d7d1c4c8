#pragma once
// Every step of a recorded study again, from its record alone: what was planned and decided, computed anew and compared. Pure.

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "datasets/model/study_view.hpp"

namespace netsettle::tuner {

/// A value that comes out otherwise: "effect", "inputs.trials.3.value", "trials.0.seed".
struct ReplayedValue {
  std::string key;
  nlohmann::ordered_json recorded, computed;  // null: there is none
};

/// The first step that comes out otherwise.
struct ReplayDifference {
  std::string step;  // "block 7", "decision 12 (promote)"
  int trials = 0;    // that were in the record then
  std::vector<ReplayedValue> values;
};

struct Replay {
  int decisions = 0, blocks = 0;  // that came out the same
  int unchecked_blocks = 0;       // of a study that a clock ends: at the border of a phase the time left then is not known well enough
  std::optional<ReplayDifference> difference;

  bool same() const { return !difference; }
};

/// Numbers may differ by 1e-9 of their value, which other kinds of CPUs do. Trials that a person asked for are passed over. `until_us`:
/// when the clock ends the study.
Replay replay(const StudyView& record, std::optional<std::int64_t> until_us = std::nullopt);

}  // namespace netsettle::tuner
