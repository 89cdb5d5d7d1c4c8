#pragma once
// What a person does by hand: from the settings there are, one parameter after the other over a few of its values, keeping the best seen.
// Easy to follow and to explain; blind to parameters that help only together.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class OneAtATime final : public Strategy {
 public:
  std::string_view name() const override { return "one-at-a-time"; }
  /// search.start first. A round goes through all parameters: up to five values of each, the others as in the best so far; the best by
  /// what is believed is kept. Rounds follow until one changes nothing; then the best three are measured until they have search.repeats.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
