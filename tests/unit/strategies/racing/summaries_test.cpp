#include <catch2/catch.hpp>

#include "strategies/racing/next_step.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView studied() {
  StudyView study = fresh(experiment_of({levels("n", {1, 2, 3})}));
  add_configuration(study, with_value("n", 1));
  add_configuration(study, with_value("n", 2));
  add_configuration(study, with_value("n", 3));
  add_block(study, Purpose::pilot, {{1, 90}, {1, 92}, {1, 0, Outcome::invalid}});
  add_block(study, Purpose::search, {{1, 100}, {2, 110}, {3, 0, Outcome::failed}});
  add_block(study, Purpose::search, {{2, 120}, {1, 102}});
  add_block(study, Purpose::confirm, {{2, 115}, {1, 101}});
  return study;
}

}  // namespace

TEST_CASE("the table has every configuration with what was measured in search and confirmation") {
  const auto table = summarise(studied());
  REQUIRE(table.size() == 4);
  CHECK(table[0].n == 3);
  CHECK(table[0].mean == Approx(101));
  CHECK(table[0].invalid == 1);
  CHECK_FALSE(table[0].versus_baseline);
  CHECK(table[1].n == 3);
  CHECK(table[1].minimum == 110);
  CHECK(table[1].maximum == 120);
  REQUIRE(table[1].versus_baseline);
  CHECK(table[1].versus_baseline->estimate == Approx(0.1385).epsilon(0.01));
  CHECK(table[1].versus_baseline->low < table[1].versus_baseline->estimate);
}

TEST_CASE("a configuration without measured trials has counts only") {
  const auto table = summarise(studied());
  CHECK(table[2].n == 0);
  CHECK(table[2].failed == 1);
  CHECK_FALSE(table[2].versus_baseline);
  CHECK(table[3].n == 0);
}

TEST_CASE("the best so far is the leader, or the baseline where nothing looks better") {
  CHECK_FALSE(best_so_far(fresh(experiment_of({levels("n", {1})}))));
  CHECK(best_so_far(studied())->first == 2);
  StudyView study = studied();
  for (Trial& trial : study.trials)
    if (trial.configuration_id == 2) trial.measurements["qps"] = 50;
  CHECK(best_so_far(study)->first == kBaselineId);
  CHECK(best_so_far(study)->second == Approx(95).epsilon(0.07));
}
