#include "strategies/search/strategy.hpp"

#include "strategies/search/bayesian.hpp"
#include "strategies/search/choice.hpp"
#include "strategies/search/random_search.hpp"
#include "strategies/search/sweep.hpp"

namespace netsettle::strategies {

std::unique_ptr<Strategy> make_strategy(const StudyView& study, SurrogateMemory* memory) {
  switch (choose_search(study).kind) {
    case StrategyKind::sweep:
      return std::make_unique<Sweep>();
    case StrategyKind::bayesian:
      return std::make_unique<Bayesian>(memory);
    case StrategyKind::automatic:
    case StrategyKind::random:
    case StrategyKind::one_at_a_time:
    case StrategyKind::screening:
    case StrategyKind::local:
    case StrategyKind::cma_es:
    case StrategyKind::manual:
      break;
  }
  return std::make_unique<RandomSearch>();
}

std::string strategy_choice(const StudyView& study) { return choose_search(study).reason; }

}  // namespace netsettle::strategies
