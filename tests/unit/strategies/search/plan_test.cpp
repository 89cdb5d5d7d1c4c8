#include "strategies/search/plan.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

TEST_CASE("a budget is divided by the documented table") {
  struct Row {
    int trials, pilot, finalists, blocks, spare, simplification, search;
  };
  const std::vector<Row> rows{{40, 6, 1, 6, 2, 0, 20},      {59, 6, 1, 6, 2, 0, 39},      {60, 6, 1, 6, 2, 0, 40},
                              {100, 6, 1, 6, 2, 0, 80},     {199, 6, 1, 11, 4, 0, 167},   {200, 8, 3, 7, 4, 0, 160},
                              {400, 8, 4, 16, 10, 20, 282}, {600, 12, 6, 17, 14, 30, 425}};
  for (const Row& row : rows) {
    CAPTURE(row.trials);
    const BudgetSplit split = split_budget(row.trials);
    CHECK(split.pilot == row.pilot);
    CHECK(split.finalists == row.finalists);
    CHECK(split.confirmation_blocks == row.blocks);
    CHECK(split.spare == row.spare);
    CHECK(split.simplification == row.simplification);
    CHECK(split.search == row.search);
  }
}

TEST_CASE("no part of a budget is spent twice and the confirmation has at least six blocks") {
  for (int trials = 1; trials <= 1000; ++trials) {
    CAPTURE(trials);
    const BudgetSplit split = split_budget(trials);
    CHECK(split.confirmation_blocks >= kMinimumConfirmation);
    CHECK(split.finalists >= 1);
    CHECK(split.search >= 0);
    CHECK(split.spare >= 0);
    if (split.search > 0) CHECK(split.pilot + split.search + split.after_search() == trials);
  }
}

TEST_CASE("nobody is eliminated before the eighth block, of a large study the twelfth, or the last of a short confirmation") {
  CHECK(first_look(200, 20) == 8);
  CHECK(first_look(200, 6) == 6);
  CHECK(first_look(500, 20) == 12);
}

TEST_CASE("a sweep without a budget has a number of its own") {
  Experiment experiment = experiment_of({levels("n", {1, 2, 3, 4, 5, 6, 7, 8})});
  experiment.search.repeats = 10;
  const BudgetSplit split = plan_budget(fresh(experiment), std::nullopt);
  CHECK(split.search == 90);  // nine configurations, as-found included
  CHECK(split.confirmation_blocks == 10);
  CHECK(split.pilot == 6);
  CHECK(split.finalists == 1);
}

TEST_CASE("the clock can only make a plan smaller") {
  Experiment experiment = experiment_of({range("n", 1, 1000)});
  experiment.budget.trials = 400;
  const StudyView study = fresh(experiment);
  CHECK(plan_budget(study, 1000).search == plan_budget(study, std::nullopt).search);
  CHECK(plan_budget(study, 100).search == split_budget(100).search);
}

TEST_CASE("a random search that only the clock ends uses the time there is") {
  const StudyView study = fresh(experiment_of({range("n", 1, 1000)}));
  CHECK(plan_budget(study, 2000).search == split_budget(2000).search);
  CHECK(plan_budget(study, std::nullopt).search == split_budget(kDefaultTrials).search);
}
