#include "strategies/designs/blocks.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView study_with(const std::vector<std::vector<Seen>>& blocks) {
  StudyView study = fresh(experiment_of({levels("n", {1, 2})}));
  add_configuration(study, with_value("n", 1));
  for (const auto& block : blocks) add_block(study, Purpose::search, block);
  return study;
}

}  // namespace

TEST_CASE("of a repeated trial only the last attempt counts") {
  StudyView study = study_with({{{1, 100}, {2, 0, Outcome::invalid}}});
  Trial again = study.trials[1];
  again.id = 3;
  again.attempt = 2;
  again.outcome = Outcome::measured;
  again.measurements["qps"] = 120;
  study.trials.push_back(again);
  const auto blocks = blocks_of(study);
  REQUIRE(blocks.size() == 1);
  REQUIRE(blocks[0].trials.size() == 2);
  CHECK(objective_in(study.experiment, blocks[0], 2) == 120);
}

TEST_CASE("only blocks in which both were measured are compared") {
  const StudyView study =
      study_with({{{1, 100}, {2, 110}}, {{1, 0, Outcome::invalid}, {2, 130}}, {{1, 200}, {2, 0, Outcome::failed}}, {{1, 200}, {2, 210}}});
  const auto differences = log_differences(study.experiment, blocks_of(study), 2);
  REQUIRE(differences.size() == 2);
  CHECK(differences[0] == Approx(std::log(1.1)));
  CHECK(differences[1] == Approx(std::log(1.05)));
}

TEST_CASE("a rate of zero and a missing rate are no measurements") {
  StudyView study = study_with({{{1, 0}, {2, 110}}});
  CHECK_FALSE(objective_of(study.experiment, study.trials[0]));
  study.trials[1].measurements.clear();
  CHECK_FALSE(objective_of(study.experiment, study.trials[1]));
}

TEST_CASE("a metric of which less is better is turned round, so that more of the objective is always better") {
  StudyView study = study_with({{{1, 100}, {2, 110}}});
  CHECK(objective_of(study.experiment, study.trials[0]) == 100);
  study.experiment.objective.maximize = "latency_avg_us";
  study.trials[0].measurements["latency_avg_us"] = 200;
  study.trials[1].measurements["latency_avg_us"] = 100;
  CHECK(measured_objective(study.experiment, study.trials[0]) == 200);
  CHECK(objective_of(study.experiment, study.trials[0]) == Approx(1 / 200.0));
  CHECK(log_differences(study.experiment, blocks_of(study), 2).front() == Approx(std::log(2.0)));
  CHECK(oriented(study.experiment, oriented(study.experiment, 42)) == Approx(42));
}

TEST_CASE("the baseline's trial does not change what a block is for") {
  StudyView study = study_with({{{1, 100}, {2, 110}}});
  study.trials[0].purpose = Purpose::baseline;
  study.trials[1].purpose = Purpose::confirm;
  CHECK(blocks_of(study)[0].purpose == Purpose::confirm);
  CHECK(only(blocks_of(study), Purpose::search).empty());
  CHECK(next_block_number(study) == 2);
}
