#include "strategies/search/standing.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// Baseline 100 ± 1 %; configurations 2, 3, 4 at 100, 105 and 110 in two blocks.
StudyView searched() {
  StudyView study = fresh(experiment_of({levels("n", {1, 2, 3})}));
  for (const std::int64_t n : {1, 2, 3}) add_configuration(study, with_value("n", n));
  add_block(study, Purpose::pilot, {{1, 99}, {1, 101}, {1, 100}});
  add_block(study, Purpose::search, {{1, 100}, {2, 100}, {3, 105}, {4, 110}});
  add_block(study, Purpose::search, {{4, 110}, {2, 101}, {1, 100}, {3, 104}});
  return study;
}

}  // namespace

TEST_CASE("the leader is the configuration with the best mean after shrinkage") {
  const StudyView study = searched();
  const auto standings = standings_of(study);
  REQUIRE(standings);
  REQUIRE(standings->others.size() == 3);
  const Standing* leader = leader_of(*standings);
  REQUIRE(leader != nullptr);
  CHECK(leader->id == 4);
  CHECK(leader->n == 2);
  CHECK(leader->belief.mean > 0.05);
  CHECK(leader->belief.mean < std::log(1.1));
  CHECK(std::exp(standings->level) == Approx(100).epsilon(0.02));
}

TEST_CASE("one trial far above the others does not lead over a configuration that was good again and again") {
  StudyView study = fresh(experiment_of({range("n", 1, 50)}));
  add_block(study, Purpose::pilot, {{1, 94}, {1, 106}, {1, 101}, {1, 99}});
  const auto steady = add_configuration(study, with_value("n", 2)), lucky = add_configuration(study, with_value("n", 3));
  const auto other = add_configuration(study, with_value("n", 4)), another = add_configuration(study, with_value("n", 5));
  for (int i = 0; i < 8; ++i) add_block(study, Purpose::search, {{1, 100}, {steady, 108}, {other, 100}, {another, 99}});
  add_block(study, Purpose::search, {{1, 100}, {lucky, 110}});
  CHECK(leader_of(*standings_of(study))->id == steady);
}

TEST_CASE("a configuration that failed or violates a limit cannot lead") {
  StudyView study = searched();
  study.trials.back().outcome = Outcome::failed;  // configuration 3
  study.experiment.objective.subject_to = {expression("lost_percent <= 0.1")};
  for (Trial& trial : study.trials) trial.measurements["lost_percent"] = trial.configuration_id == 4 ? 0.3 : 0.05;
  const auto standings = standings_of(study);
  CHECK(standings->others[0].obstacle.empty());
  CHECK(standings->others[1].obstacle == "it failed in 1 trial");
  CHECK(standings->others[2].obstacle == "lost_percent <= 0.1 does not hold");
  CHECK(leader_of(*standings)->id == 2);
}

TEST_CASE("limits are about means, not about single trials") {
  StudyView study = searched();
  study.experiment.objective.subject_to = {expression("lost_percent <= 0.1")};
  for (Trial& trial : study.trials) trial.measurements["lost_percent"] = trial.block == 2 ? 0.15 : 0.01;
  CHECK(leader_of(*standings_of(study))->id == 4);
}

TEST_CASE("a limit that was never measured does not hold") {
  StudyView study = searched();
  study.experiment.objective.subject_to = {expression("latency_avg_us < 1000")};
  CHECK(leader_of(*standings_of(study)) == nullptr);
  CHECK(standings_of(study)->others[0].obstacle == "whether latency_avg_us < 1000 holds could not be measured");
}

TEST_CASE("without a measured baseline nothing stands") {
  StudyView study = fresh(experiment_of({levels("n", {1, 2})}));
  CHECK_FALSE(standings_of(study));
  add_block(study, Purpose::pilot, {{1, 0, Outcome::invalid}});
  CHECK_FALSE(standings_of(study));
}

TEST_CASE("confirmation trials do not change how the search stands") {
  StudyView study = searched();
  const double before = leader_of(*standings_of(study))->belief.mean;
  add_block(study, Purpose::confirm, {{1, 100}, {4, 300}});
  CHECK(leader_of(*standings_of(study))->belief.mean == before);
}

TEST_CASE("the pilot's noise is the spread within its blocks") {
  StudyView study = fresh(experiment_of({levels("n", {1})}));
  CHECK_FALSE(pilot_noise(study));
  add_block(study, Purpose::pilot, {{1, 100}, {1, 102}});
  add_block(study, Purpose::pilot, {{1, 200}, {1, 204}});
  CHECK(*pilot_noise(study) == Approx(std::log(1.02) / std::sqrt(2.0)));
}
