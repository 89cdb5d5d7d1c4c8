#include "strategies/search/choice.hpp"

#include <catch2/catch.hpp>

#include "strategies/search/strategy.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

TEST_CASE("a small space that fits into the budget is swept, another is modelled") {
  Experiment experiment = experiment_of({levels("n", {1, 2, 3})});  // and as-found: 4 configurations
  experiment.search.repeats = 5;
  experiment.budget.trials = 40;
  CHECK(choose_search(fresh(experiment)).kind == StrategyKind::sweep);
  CHECK(choose_search(fresh(experiment)).reason == "sweep: the space has 4 configurations and the budget allows 5 trials of each");
  experiment.search.repeats = 6;
  CHECK(choose_search(fresh(experiment)).kind == StrategyKind::bayesian);
  CHECK(choose_search(fresh(experiment)).reason.starts_with("bayesian: 20 trials for the search do not allow 6"));
}

TEST_CASE("a search that is too short for a model takes random configurations and says so") {
  Experiment experiment = experiment_of({range("n", 1, 100000)});
  experiment.budget.trials = 30;
  CHECK(choose_search(fresh(experiment)).kind == StrategyKind::random);
  CHECK(choose_search(fresh(experiment)).reason == "random: 10 trials for the search are fewer than the 12 that a model needs");
}

TEST_CASE("without a number of trials a small space is swept and a large one modelled") {
  CHECK(choose_search(fresh(experiment_of({range("n", 1, 8)}))).kind == StrategyKind::sweep);
  CHECK(choose_search(fresh(experiment_of({range("n", 1, 100)}))).kind == StrategyKind::bayesian);
}

TEST_CASE("a sweep of a space without end becomes a random search and says so") {
  Experiment experiment = experiment_of({range("n", 1, 1e6)});
  experiment.search.strategy = StrategyKind::sweep;
  const SearchChoice choice = choose_search(fresh(experiment));
  CHECK(choice.kind == StrategyKind::random);
  CHECK(choice.reason.find("a sweep was wanted") != std::string::npos);
}

TEST_CASE("a named strategy is obeyed") {
  Experiment experiment = experiment_of({range("n", 1, 1e6)});
  experiment.budget.trials = 200;
  for (const auto kind : {StrategyKind::random, StrategyKind::local, StrategyKind::cma_es, StrategyKind::bayesian}) {
    experiment.search.strategy = kind;
    CHECK(choose_search(fresh(experiment)).kind == kind);
    CHECK(strategy_choice(fresh(experiment)) == std::string(to_text(kind)) + ": the experiment file says so");
  }
}

TEST_CASE("a screening that the budget does not hold becomes a random search and says so") {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 10; ++i) parameters.push_back(range("p" + std::to_string(i), 1, 100));
  Experiment experiment = experiment_of(parameters);
  experiment.search.strategy = StrategyKind::screening;
  experiment.budget.trials = 60;
  const SearchChoice choice = choose_search(fresh(experiment));
  CHECK(choice.kind == StrategyKind::random);
  CHECK(choice.reason.starts_with("random: a screening was wanted, but 10 parameters need 48 trials of the search"));
  experiment.budget.trials = 200;
  CHECK(choose_search(fresh(experiment)).kind == StrategyKind::screening);
}
