#include "strategies/search/strategy.hpp"

#include "strategies/search/bayesian.hpp"
#include "strategies/search/choice.hpp"
#include "strategies/search/cma_es.hpp"
#include "strategies/search/local_search.hpp"
#include "strategies/search/manual.hpp"
#include "strategies/search/one_at_a_time.hpp"
#include "strategies/search/random_search.hpp"
#include "strategies/search/screening.hpp"
#include "strategies/search/sweep.hpp"

namespace netsettle::strategies {

std::unique_ptr<Strategy> make_strategy(const StudyView& study, SurrogateMemory* memory) {
  switch (choose_search(study).kind) {
    case StrategyKind::sweep:
      return std::make_unique<Sweep>();
    case StrategyKind::one_at_a_time:
      return std::make_unique<OneAtATime>();
    case StrategyKind::screening:
      return std::make_unique<Screening>();
    case StrategyKind::local:
      return std::make_unique<LocalSearch>();
    case StrategyKind::cma_es:
      return std::make_unique<CmaEs>();
    case StrategyKind::bayesian:
      return std::make_unique<Bayesian>(memory);
    case StrategyKind::manual:
      return std::make_unique<Manual>();
    case StrategyKind::automatic:
    case StrategyKind::random:
      break;
  }
  return std::make_unique<RandomSearch>();
}

std::string strategy_choice(const StudyView& study) { return choose_search(study).reason; }

}  // namespace netsettle::strategies
