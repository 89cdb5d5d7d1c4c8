#pragma once
// Every step of a recorded study again, from its record alone: what was planned and decided, computed anew and compared. Pure.

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "datasets/model/study_view.hpp"

namespace netsettle::tuner {

/// The first step that comes out otherwise.
struct ReplayDifference {
  std::string step;  // "block 7", "decision 12 (promote)"
  int trials = 0;    // that were in the record then
  std::string key;   // the first value that differs: "n", "inputs.search_effect"; empty: the steps are of different kinds
  nlohmann::ordered_json recorded, computed;
};

struct Replay {
  int decisions = 0, blocks = 0;  // that came out the same
  int unchecked_blocks = 0;       // of a study that a clock ended, where the record does not say what the clock left
  std::optional<ReplayDifference> difference;

  bool same() const { return !difference; }
};

/// Numbers may differ by 1e-9 of their value, which other kinds of CPUs do. Trials that a person asked for are passed over.
Replay replay(const StudyView& record);

}  // namespace netsettle::tuner
