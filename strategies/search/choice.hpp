#pragma once
// Which strategy an experiment gets, and why. A function of the experiment and the space alone, so that it stays the same through a study.

#include <cstddef>
#include <optional>
#include <string>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// A space with more configurations is not enumerated.
inline constexpr std::size_t kMostSwept = 1000;
/// `automatic` sweeps a space up to this size where no number of trials is given.
inline constexpr std::size_t kMostSweptUnbounded = 64;
/// A model of fewer search trials knows nothing: `automatic` then takes random ones.
inline constexpr int kLeastModelled = 12;

struct SearchChoice {
  StrategyKind kind = StrategyKind::random;   // never automatic
  std::optional<std::size_t> configurations;  // that it visits, baseline included, where they are known beforehand: sweep and manual
  std::string reason;                         // one sentence: "sweep: the space has …"
};

/// A named strategy is obeyed where it is possible, and the reason says where it is not. `automatic`: a sweep where the search can
/// repeat each configuration often enough, else bayesian, and random where the search is too short for a model.
SearchChoice choose_search(const StudyView& study);

}  // namespace netsettle::strategies
