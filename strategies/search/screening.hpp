#pragma once
// First which parameters matter (screening_plan.hpp), then a search over these alone with the others as found. For many parameters of which
// few matter, and for knowing which.

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

class Screening final : public Strategy {
 public:
  std::string_view name() const override { return "screening"; }
  /// search.start first, then the plan's runs in whole groups, then neighbours of the leader and random configurations, both over what
  /// matters. Leaders have the last fifth. Where the plan's runs cannot tell (too many failed), everything matters.
  std::vector<Proposal> ask(const StudyView& study, int block, int count) const override;
  int block_size(const StudyView& study) const override;
};

}  // namespace netsettle::strategies
