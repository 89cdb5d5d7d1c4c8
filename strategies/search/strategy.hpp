#pragma once
// Which configurations to try next. A strategy is a pure function of the record and the seed; it has no state.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/surrogate/memory.hpp"

namespace netsettle::strategies {

struct Proposal {
  Configuration configuration;
  std::string origin;  // "start", "sweep", "random", …: the strategy's word for why it is tried
};

/// Why nothing more is worth trying.
struct Exhaustion {
  /// What the best configuration may gain over the best that is known, relative, by the strategy's own model: no guarantee.
  double remaining_potential = 0;
  std::string reason;  // one sentence
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;
  /// The configurations of the next search block beside the baseline, at most `count`, canonical, each satisfying the constraints.
  /// Empty: this strategy has nothing more to try. `block` is the number that the block will have.
  virtual std::vector<Proposal> ask(const StudyView& study, int block, int count) const = 0;
  /// Configurations per search block beside the baseline; a sweep wants all of them in each.
  virtual int block_size(const StudyView& study) const = 0;
  /// Whether the baseline runs in every block. A strategy that models the drift itself proposes the baseline where it needs it.
  virtual bool interleaves_baseline() const { return true; }
  /// Set where the search should end before its trials are spent, though there are configurations that were not tried.
  virtual std::optional<Exhaustion> exhausted(const StudyView& /*study*/) const { return std::nullopt; }
};

/// The strategy of the experiment; `automatic` chooses by the size of the space and the budget. One explicit list. `memory` must outlive
/// the strategy; without one it works everything out itself.
std::unique_ptr<Strategy> make_strategy(const StudyView& study, SurrogateMemory* memory = nullptr);
/// Which one and why, in one sentence ("sweep: the space has 8 configurations and the budget allows 10 trials of each").
std::string strategy_choice(const StudyView& study);

}  // namespace netsettle::strategies
