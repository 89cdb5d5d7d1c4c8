#include "strategies/racing/race.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/racing/finalists.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/racing/pilot.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// A searched study of 200 trials whose configurations 2 to 5 can lead, 5 best.
StudyView searched() {
  Experiment experiment = experiment_of({levels("n", {1, 2, 3, 4})});
  experiment.search.strategy = StrategyKind::sweep;
  experiment.budget.trials = 200;
  StudyView study = fresh(experiment);
  for (const std::int64_t n : {1, 2, 3, 4}) add_configuration(study, with_value("n", n));
  add_block(study, Purpose::pilot, {{1, 98}, {1, 100}, {1, 102}, {1, 100}});
  study.decisions.push_back(pilot_decision(study, 8, kAlpha / 4));
  for (int i = 0; i < 4; ++i) add_block(study, Purpose::search, {{1, 100.0 + i}, {2, 101}, {3, 103}, {4, 106.0 + i}, {5, 109}});
  return study;
}

constexpr PhasePlan kPlan{
    .pilot_trials = 8, .finalists = 4, .confirmation_blocks = 8, .search_trials = 100, .spare_trials = 5, .simplification_trials = 10};

StudyView promoted() {
  StudyView study = searched();
  for (const Decision& decision : promotions(study, *standings_of(study), kPlan, 60)) study.decisions.push_back(decision);
  return study;
}

/// Fresh blocks: the baseline near 100, the finalists 5, 4, 3, 2 at these levels.
void add_fresh(StudyView& study, int n, const std::vector<double>& levels) {
  for (int i = 0; i < n; ++i) {
    const double drift = 1 + 0.01 * (i % 3);
    const double wobble = i % 2 == 0 ? 2 : -2;
    add_block(study, Purpose::confirm,
              {{1, 100 * drift},
               {5, levels[0] * drift + wobble},
               {4, levels[1] * drift - wobble},
               {3, levels[2] * drift},
               {2, levels[3] * drift}});
  }
}

std::vector<std::int64_t> ids_of(const std::vector<Decision>& decisions) {
  std::vector<std::int64_t> ids;
  for (const Decision& decision : decisions) ids.push_back(*decision.configuration_id);
  return ids;
}

}  // namespace

TEST_CASE("each finalist is promoted by a decision of its own, the best first, with its share of the error") {
  const StudyView study = searched();
  const auto decisions = promotions(study, *standings_of(study), kPlan, 60);
  CHECK(ids_of(decisions) == std::vector<std::int64_t>{5, 4, 3, 2});
  for (const Decision& decision : decisions) {
    CHECK(decision.kind == DecisionKind::promote);
    CHECK(decision.n == 8);
    CHECK(*decision.alpha == Approx(0.025 / 4));
    const auto inputs = nlohmann::json::parse(decision.inputs_json);
    CHECK(inputs.at("selection").at("alpha") == 0.0125);
    CHECK(inputs.at("selection").at("first_blocks") == 8);
    CHECK(inputs.at("selection").at("may_claim") == true);
    CHECK(inputs.at("selection").at("delta") == inputs.at("delta"));
  }
}

TEST_CASE("fewer finalists get more blocks, and too few trials fewer finalists") {
  StudyView study = searched();
  const Standings standings = *standings_of(study);
  CHECK(promotions(study, standings, kPlan, 29).size() == 3);
  CHECK(promotions(study, standings, kPlan, 29).front().n == 7);
  CHECK(promotions(study, standings, kPlan, 12).size() == 1);
  CHECK(promotions(study, standings, kPlan, 11).empty());
  Standings two = standings;
  two.others[0].obstacle = two.others[1].obstacle = "it failed in 1 trial";
  CHECK(promotions(study, two, kPlan, 60).size() == 2);
  CHECK(promotions(study, two, kPlan, 60).front().n == 13);
}

TEST_CASE("nobody leaves before the first look, and who is clearly behind leaves then") {
  StudyView study = promoted();
  add_fresh(study, 7, {112, 112, 101, 100});
  CHECK(leaving(study, *confirmation_of(study)).empty());
  add_fresh(study, 1, {112, 112, 101, 100});
  const auto decisions = leaving(study, *confirmation_of(study));
  CHECK(ids_of(decisions) == std::vector<std::int64_t>{3, 2});
  for (const Decision& decision : decisions) {
    CHECK(decision.kind == DecisionKind::eliminate);
    CHECK(decision.method == "kim-nelson");
    CHECK(decision.n == 8);
    CHECK(*decision.effect < -0.08);
    CHECK(nlohmann::json::parse(decision.inputs_json).at("boundary") <= nlohmann::json::parse(decision.inputs_json).at("behind"));
  }
}

TEST_CASE("a finalist that fails leaves at once, and the others go on without it") {
  StudyView study = promoted();
  add_fresh(study, 2, {112, 111, 101, 100});
  add_block(study, Purpose::confirm, {{1, 100}, {5, 0, Outcome::failed}, {4, 111}, {3, 101}, {2, 100}});
  const NextStep step = next_step(study, {.trials = 60});
  REQUIRE(std::holds_alternative<Decide>(step));
  CHECK(ids_of(std::get<Decide>(step).decisions) == std::vector<std::int64_t>{5});
  CHECK(std::get<Decide>(step).decisions.front().method == "failed-trial");
  study.decisions.push_back(std::get<Decide>(step).decisions.front());
  const NextStep next = next_step(study, {.trials = 60});
  REQUIRE(std::holds_alternative<RunBlock>(next));
  CHECK(std::get<RunBlock>(next).trials.size() == 4);
  CHECK(confirmation_of(study)->complete.size() == 3);
}

TEST_CASE("an unstable finalist leaves before it can eliminate others") {
  StudyView study = promoted();
  for (int i = 0; i < 8; ++i)
    add_block(study, Purpose::confirm, {{1, 100.0 + i % 2}, {5, i % 4 == 0 ? 70.0 : 140.0}, {4, 111}, {3, 110.5}, {2, 100}});
  const auto decisions = leaving(study, *confirmation_of(study));
  REQUIRE(ids_of(decisions) == std::vector<std::int64_t>{5});
  CHECK(decisions.front().kind == DecisionKind::unstable);
}

TEST_CASE("the best of the finalists is said within the planned difference where the others were eliminated") {
  StudyView study = promoted();
  add_fresh(study, 8, {130, 111, 101, 100});
  for (const Decision& decision : leaving(study, *confirmation_of(study))) study.decisions.push_back(decision);
  const auto confirmation = confirmation_of(study);
  CHECK(confirmation->open() == 1);
  const auto best = best_of_finalists(study.experiment, *confirmation);
  REQUIRE(best);
  CHECK(best->id == 5);
  CHECK_FALSE(best->achieved);
  CHECK(best->compared == 4);
  CHECK(best->delta == Approx(indifference(study)));
  CHECK(best->alpha == 0.0125);
}

TEST_CASE("where two are left the achieved difference is said, never the planned one") {
  StudyView study = promoted();
  study.experiment.objective.min_effect = 0.001;
  for (std::size_t i = 1; i < study.decisions.size(); ++i) {
    auto inputs = nlohmann::json::parse(study.decisions[i].inputs_json);
    inputs["selection"]["delta"] = 0.001;  // far less than eight blocks can tell apart
    study.decisions[i].inputs_json = inputs.dump();
  }
  add_fresh(study, 8, {112, 111.5, 101, 100});
  for (const Decision& decision : leaving(study, *confirmation_of(study))) study.decisions.push_back(decision);
  const auto confirmation = confirmation_of(study);
  REQUIRE(confirmation->open() >= 2);
  const auto best = best_of_finalists(study.experiment, *confirmation);
  REQUIRE(best);
  CHECK(best->achieved);
  CHECK(best->id == 5);
  CHECK(best->delta > 0.001);
}

TEST_CASE("a further confirmation makes no claim about the best of the finalists") {
  StudyView study = promoted();
  study.decisions.push_back({.kind = DecisionKind::cannot_tell, .configuration_id = kBaselineId});
  const auto again = promotions(study, *standings_of(study), kPlan, 60);
  REQUIRE(again.size() == 4);
  CHECK(*again.front().alpha == Approx(0.00625 / 4));
  for (const Decision& decision : again) study.decisions.push_back(decision);
  add_fresh(study, 8, {130, 111, 101, 100});
  CHECK_FALSE(best_of_finalists(study.experiment, *confirmation_of(study)));
  study.decisions.push_back({.kind = DecisionKind::cannot_tell, .configuration_id = kBaselineId});
  CHECK(*promotions(study, *standings_of(study), kPlan, 60).front().alpha == Approx(0.003125 / 4));
}

TEST_CASE("the verdict speaks of all finalists") {
  StudyView study = promoted();
  add_fresh(study, 8, {130, 111, 101, 100});
  for (;;) {
    const NextStep step = next_step(study, {.trials = 3});
    if (!std::holds_alternative<Decide>(step)) break;
    for (const Decision& decision : std::get<Decide>(step).decisions) study.decisions.push_back(decision);
  }
  const auto verdict = verdict_of(study);
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::winner);
  CHECK(verdict->configuration_id == 5);
  CHECK(verdict->smallest_id == 5);
  REQUIRE(verdict->finalists.size() == 4);
  CHECK(verdict->finalists[0].standing == "proven");
  CHECK(verdict->finalists[1].standing == "eliminated");
  CHECK_THAT(verdict->statement, Catch::Contains("simultaneous 95 % interval over the 4 finalists") &&
                                     Catch::Contains("It is the best of the 4 finalists within") &&
                                     Catch::Contains("3 were eliminated as worse than another one"));
}
