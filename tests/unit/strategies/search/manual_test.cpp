#include "strategies/search/manual.hpp"

#include <catch2/catch.hpp>

#include "strategies/search/choice.hpp"
#include "strategies/search/plan.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Experiment by_hand(std::vector<Configuration> start) {
  Experiment experiment = experiment_of({range("a", 1, 100), range("b", 1, 100)});
  experiment.search.strategy = StrategyKind::manual;
  experiment.search.start = std::move(start);
  experiment.search.repeats = 3;
  return experiment;
}

}  // namespace

TEST_CASE("a list by hand has each configuration of the space once, the baseline left out") {
  const StudyView study =
      fresh(by_hand({with_value("a", 7), with_value("a", 7), with_value("a", 1000), Configuration{}, with_value("b", 3)}));
  CHECK(manual_list(study).size() == 2);
  CHECK(Manual().block_size(study) == 2);
  CHECK(choose_search(study).configurations == 3);
  CHECK(choose_search(study).reason == "manual: search.start has 2 configurations, 3 trials of each");
}

TEST_CASE("by hand nothing else is tried, each as often as it is to be repeated") {
  Experiment experiment = by_hand({with_value("a", 7), with_value("b", 3)});
  experiment.budget.trials = 100;
  const auto simulated = simulate_study({.noise = 0.02}, experiment, 1);
  REQUIRE(simulated);
  CHECK(simulated->study.configurations.size() == 3);
  std::map<std::int64_t, int> trials;
  for (const Trial& trial : simulated->study.trials)
    if (trial.purpose == Purpose::search) ++trials[trial.configuration_id];
  CHECK(trials == std::map<std::int64_t, int>{{1, 3}, {2, 3}, {3, 3}});
}

TEST_CASE("without a number of trials a list by hand has a plan of its own") {
  CHECK(plan_budget(fresh(by_hand({with_value("a", 7), with_value("b", 3)})), std::nullopt).search == 9);
}

TEST_CASE("an empty list by hand is said to be empty") {
  const StudyView study = fresh(by_hand({}));
  CHECK(Manual().ask(study, 1, 3).empty());
  CHECK(choose_search(study).reason == "manual: search.start has no configuration of the space, so nothing is tried");
}
