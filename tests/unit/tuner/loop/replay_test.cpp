#include "tuner/loop/replay.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;
using tuner::replay;

namespace {

World noisy_world() {
  return {.noise = 0.03, .block_spread = 0.02, .effect = [](const Configuration& one) {
            const auto processes = one.values.find("processes");
            return processes != one.values.end() && processes->second == Value(std::int64_t{3}) ? 0.2 : 0.0;
          }};
}

Experiment experiment(int trials) {
  Experiment result = experiment_of({levels("processes", {1, 2, 3, 4}), range("batch", 1, 64)});
  result.search.strategy = StrategyKind::random;
  result.budget.trials = trials;
  return result;
}

StudyView night(const World& world, int trials, std::uint64_t seed) {
  return simulate_study(world, experiment(trials), seed).value().study;
}

}  // namespace

TEST_CASE("the steps of simulated studies come out the same when they are replayed") {
  World world = noisy_world();
  world.invalid = 0.05;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const StudyView study = night(world, 60, seed);
    const auto replayed = replay(study);
    INFO("seed " << seed << (replayed.same() ? "" : ", " + replayed.difference->step));
    CHECK(replayed.same());
    CHECK(replayed.decisions == std::ssize(study.decisions));
    CHECK(replayed.blocks == study.trials.back().block);
    CHECK(replayed.unchecked_blocks == 0);
  }
}

TEST_CASE("a study that was cut off anywhere replays as far as it came") {
  const World world = noisy_world();
  Experiment plan = experiment(46);
  plan.study.seed = 5;
  Simulation simulation(world, fresh(plan));
  int steps = 0;
  do {
    INFO("step " << steps);
    CHECK(replay(simulation.study()).same());
    ++steps;
  } while (simulation.step());
  CHECK(steps > 46);
}

TEST_CASE("a study that went on with a larger budget replays through both of its verdicts") {
  const World world = noisy_world();
  StudyView study = night(world, 40, 3);
  const auto first = std::ssize(study.decisions);
  study.experiment.budget.trials = 100;
  Simulation simulation(world, study);
  while (simulation.step()) {
  }
  REQUIRE(std::ssize(simulation.study().decisions) > first);
  const auto replayed = replay(simulation.study());
  INFO((replayed.same() ? "" : replayed.difference->step));
  CHECK(replayed.same());
  CHECK(replayed.decisions == std::ssize(simulation.study().decisions));
}

TEST_CASE("a measurement that was changed afterwards is found at the first decision that it enters") {
  StudyView study = night(noisy_world(), 46, 7);
  study.trials.at(1).measurements.at("qps") *= 1.1;
  const auto replayed = replay(study);
  REQUIRE_FALSE(replayed.same());
  CHECK(replayed.difference->step == "decision 1 (pilot)");
  const auto& values = replayed.difference->values;
  CHECK(std::ranges::any_of(values, [](const auto& value) { return value.key == "inputs.trials.1.value"; }));
  CHECK(std::ranges::any_of(values, [](const auto& value) { return value.key == "inputs.coefficient_of_variation"; }));
}

TEST_CASE("a decision that was changed afterwards is found") {
  StudyView study = night(noisy_world(), 46, 7);
  SECTION("its effect") { study.decisions.back().effect = study.decisions.back().effect.value_or(0) + 0.01; }
  SECTION("its configuration") { study.decisions.back().configuration_id = study.decisions.back().configuration_id == 1 ? 2 : 1; }
  SECTION("its sentence") { study.decisions.back().inputs_json.insert(study.decisions.back().inputs_json.size() - 1, R"(,"more":1)"); }
  const auto replayed = replay(study);
  REQUIRE_FALSE(replayed.same());
  CHECK_THAT(replayed.difference->step, Catch::StartsWith("decision " + std::to_string(study.decisions.back().id)));
  CHECK(replayed.difference->values.size() == 1);
}

TEST_CASE("a decision that was taken out is found") {
  StudyView study = night(noisy_world(), 46, 7);
  study.decisions.erase(study.decisions.begin() + 1);
  CHECK_FALSE(replay(study).same());
}

TEST_CASE("a trial of another configuration or seed than was planned is found at its block") {
  StudyView study = night(noisy_world(), 46, 7);
  Trial& search = *std::ranges::find_if(study.trials,
                                        [](const Trial& trial) { return trial.purpose == Purpose::search && trial.configuration_id > 1; });
  SECTION("seed") { search.seed += 1; }
  SECTION("configuration") { search.configuration_id = 1; }
  const auto replayed = replay(study);
  REQUIRE_FALSE(replayed.same());
  CHECK(replayed.difference->step == "block " + std::to_string(search.block));
}

TEST_CASE("trials that a person asked for are passed over by the replay") {
  StudyView study = night(noisy_world(), 46, 7);
  study.trials.push_back({.id = study.trials.back().id + 1, .configuration_id = 2, .purpose = Purpose::manual, .block = -1});
  CHECK(replay(study).same());
}

TEST_CASE("an empty record has nothing to replay") {
  const auto replayed = replay(fresh(experiment(46)));
  CHECK(replayed.same());
  CHECK(replayed.blocks + replayed.decisions == 0);
}
