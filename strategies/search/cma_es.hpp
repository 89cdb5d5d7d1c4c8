#pragma once
// CMA-ES with margin in the unit cube (evolution.hpp). A good second opinion from about 200 trials on; no model, no assumptions about
// shape.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class CmaEs final : public Strategy {
 public:
  std::string_view name() const override { return "cma-es"; }
  /// search.start first; the first of them is the first mean, else the middle of the cube. A block is a generation beside the baseline,
  /// ranked within the block: what violates subject_to behind the others, what failed last. The distribution is worked out anew from the
  /// record each time. Leaders have the last tenth.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
