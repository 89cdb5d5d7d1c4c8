#include "strategies/racing/pilot.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView piloted(const std::vector<double>& rates) {
  Experiment experiment = experiment_of({levels("n", {1, 2, 3})});
  experiment.budget.trials = 40;
  StudyView study = fresh(experiment);
  std::vector<Seen> trials;
  for (const double rate : rates) trials.push_back({kBaselineId, rate, rate > 0 ? Outcome::measured : Outcome::invalid});
  add_block(study, Purpose::pilot, trials);
  return study;
}

}  // namespace

TEST_CASE("the pilot says how noisy the machine is and what six blocks can prove") {
  const StudyView study = piloted({97, 100, 103});
  const auto pilot = pilot_of(study);
  REQUIRE(pilot);
  CHECK(pilot->n == 3);
  CHECK(pilot->mean == Approx(100));
  CHECK(pilot->coefficient_of_variation == Approx(0.03));
  CHECK(pilot->provable_effect == Approx(0.0628).epsilon(0.01));
}

TEST_CASE("the pilot's decision holds what it was computed from") {
  const Decision decision = pilot_decision(piloted({97, 0, 103}), 6, kAlpha);
  CHECK(decision.kind == DecisionKind::pilot);
  CHECK(decision.n == 2);
  CHECK(decision.effect > 0);
  const auto inputs = nlohmann::json::parse(decision.inputs_json);
  CHECK(inputs.at("confirmation_blocks") == 6);
  CHECK(inputs.at("trials").size() == 2);
  CHECK(inputs.at("trials")[1].at("trial") == 3);
  CHECK(inputs.at("trials")[1].at("value") == 103);
}

TEST_CASE("delta is what matters to the user or what can be proven, whichever is larger") {
  StudyView study = piloted({97, 100, 103});
  study.decisions.push_back(pilot_decision(study, 6, kAlpha));
  CHECK(indifference(study) == Approx(*study.decisions[0].effect));
  study.experiment.objective.min_effect = 0.2;
  CHECK(indifference(study) == 0.2);
}

TEST_CASE("the recorded pilot is the authority, not what another plan would give") {
  StudyView study = piloted({97, 100, 103});
  study.decisions.push_back(pilot_decision(study, 40, kAlpha));
  CHECK(pilot_of(study)->provable_effect == *study.decisions[0].effect);
}

TEST_CASE("a pilot of fewer than two measured trials says nothing") {
  CHECK_FALSE(pilot_of(piloted({})));
  CHECK_FALSE(pilot_of(piloted({100, 0, 0})));
  CHECK_FALSE(pilot_decision(piloted({100, 0, 0}), 6, kAlpha).effect);
}
