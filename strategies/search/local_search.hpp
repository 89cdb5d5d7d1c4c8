#pragma once
// From the best configuration so far to its neighbours, and to the best of these, until none is better; then from another place. Finds the
// top of the hill it stands on with few trials; for polishing what is good already.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class LocalSearch final : public Strategy {
 public:
  std::string_view name() const override { return "local"; }
  /// search.start first. Then, from the incumbent (the best by what is believed since the last restart; at the beginning the baseline):
  /// what the next best changed together with what it changed, and its neighbours, large steps first. Where its neighbourhood is known, or
  /// six times as many new ones as there are parameters were not better, a point of a scrambled Sobol sequence is the next start. Leaders
  /// have the last tenth.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
