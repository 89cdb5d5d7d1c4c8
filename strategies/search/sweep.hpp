#pragma once
// Every configuration of a finite space, all of them in each block, `search.repeats` blocks. search.start is ignored: it is visited anyway.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class Sweep final : public Strategy {
 public:
  std::string_view name() const override { return "sweep"; }
  /// Where `count` does not hold all of them, the ones never tried come first, and there are no repeats. A configuration that
  /// failed is not tried again.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
