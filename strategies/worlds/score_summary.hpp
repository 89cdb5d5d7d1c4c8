#pragma once
// Many simulated studies of one kind, in a few numbers.

#include <optional>
#include <span>

#include "strategies/worlds/test_bed.hpp"

namespace netsettle::strategies {

struct ScoreSummary {
  int studies = 0;
  double mean = 0, median = 0, p90 = 0;      // of the regret, percent; quantiles as R's type 7
  std::optional<double> standard_error;      // of the mean; absent below two studies
  double within_2 = 0, within_5 = 0;         // shares of studies whose regret is at most 2 %, 5 %
  int claims = 0, wrong_claims = 0;          // studies
  int unstable = 0;                          // studies that handed over an unstable configuration
  int intervals = 0, intervals_holding = 0;  // printed intervals, and those that hold the truth
};

/// Precondition: at least one study.
ScoreSummary summarise_scores(std::span<const StudyScore> scores);

}  // namespace netsettle::strategies
