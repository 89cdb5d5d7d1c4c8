#pragma once
// The configurations of search.start and no others, all of them in each block, `search.repeats` blocks: somebody has the candidates already
// and wants to know which is best.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

/// search.start, completed, each once, without those outside the space and without the baseline.
std::vector<Configuration> manual_list(const StudyView& study);

class Manual final : public Strategy {
 public:
  std::string_view name() const override { return "manual"; }
  /// As a sweep of the list.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
