#include "strategies/search/strategy.hpp"

#include "strategies/search/plan.hpp"
#include "strategies/search/random_search.hpp"
#include "strategies/search/sweep.hpp"

namespace netsettle::strategies {

std::unique_ptr<Strategy> make_strategy(const StudyView& study) {
  if (choose_search(study).kind == StrategyKind::sweep) return std::make_unique<Sweep>();
  return std::make_unique<RandomSearch>();
}

std::string strategy_choice(const StudyView& study) { return choose_search(study).reason; }

}  // namespace netsettle::strategies
