#pragma once
// After a proven winner: is a smaller change as good? A fixed sequence of non-inferiority tests on fresh blocks of the winner and the
// smaller change, each written down before its first trial, stopped at the first that fails (statistics.md 7.6). The reference is always
// the winner, so small losses do not add up. The winner stays the one that is claimed.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/designs/blocks.hpp"
#include "strategies/racing/smaller_change.hpp"
#include "strategies/statistics/comparison.hpp"

namespace netsettle::strategies {

/// One-sided error of "as good as the winner within delta".
inline constexpr double kSimplificationAlpha = 0.05;

/// One test as it was planned, and what its blocks show.
struct SimplificationTest {
  std::int64_t winner_id = 0;
  Configuration simpler;
  std::vector<std::string> dropped;
  std::optional<std::int64_t> id;              // of the smaller change; absent before it was recorded
  double delta = 0;                            // relative
  int planned = 0, tried = 0;                  // blocks
  std::vector<Block> complete;                 // both measured
  std::optional<PairedComparison> comparison;  // smaller change / winner, at kSimplificationAlpha
  int failures = 0;                            // trials that the smaller change made fail itself
  std::string obstacle;                        // why it cannot be taken; empty: nothing

  bool wants_more() const;
  /// Whether the smaller change loses less than delta, with an error of at most kSimplificationAlpha where it loses delta.
  bool holds() const;
};

struct Simplification {
  std::optional<SimplificationTest> open;  // planned, without its result
  std::vector<std::string> held;           // what could be dropped so far
  std::optional<std::int64_t> smallest_id;
  bool failed = false;  // a test failed: no more
};

/// Of the present confirmation, by the decisions since its finalists were promoted.
Simplification simplification_of(const StudyView& study);

/// The plan of the next test (decision `suggest`, method "simplification-plan", of the winner); nullopt where a test failed, nothing can be
/// left out, or `affordable` trials do not give it six blocks. `blocks`: as many as are wanted.
std::optional<Decision> simplification_plan(const StudyView& study, const Simplification& before, std::int64_t winner_id, double delta,
                                            int blocks, int affordable, SurrogateMemory* memory);

/// The result: `suggest` where the smaller change holds, else `eliminate`; method "non-inferiority-t-log", versus the winner. Where the
/// smaller change was never run the plan's own configuration, the winner, is named.
Decision simplification_result(const StudyView& study, const SimplificationTest& test);

}  // namespace netsettle::strategies
