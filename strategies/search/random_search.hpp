#pragma once
// search.start first, then random configurations that were not tried yet, and a share of the search for measuring the leaders again, so
// that the one handed to the confirmation is not the luckiest single trial.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class RandomSearch final : public Strategy {
 public:
  std::string_view name() const override { return "random"; }
  /// New ones in the first 60 % of the search trials, leaders after that. Where the clock may end the search, two blocks of five are the
  /// leaders' from the start. Leaders also fill a block for which there are not enough new configurations.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
