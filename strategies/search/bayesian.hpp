#pragma once
// The main strategy: one trial at a time, where the surrogate of everything measured so far expects most.
//
// A control trial of the baseline every 20th keeps hold of the drift; some repeat a leader, so that no lucky one is followed; the last ones
// go to the best mean. Proposals come from an ensemble (expected improvement, a joint Thompson draw, independent Thompson draws), because
// each alone has machines on which it gets stuck (docs/statistics.md).

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class Bayesian final : public Strategy {
 public:
  /// `memory` may be null; else it must outlive this.
  explicit Bayesian(SurrogateMemory* memory) : memory_(memory) {}

  std::string_view name() const override { return "bayesian"; }
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& /*study*/) const override { return 1; }
  bool interleaves_baseline() const override { return false; }
  /// Where the model sees nothing left that matters (objective.min_effect): looked at every 20th trial, from 60 and 10 a parameter on.
  std::optional<Exhaustion> exhausted(const StudyView& study) const override;

 private:
  SurrogateMemory* memory_;
};

}  // namespace netsettle::strategies
