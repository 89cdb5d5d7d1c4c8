#include "strategies/racing/next_step.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "strategies/search/plan.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Experiment random_experiment(int trials) {
  Experiment experiment = experiment_of({range("cores", 1, 8), range("irq", 1, 8)});
  experiment.require = {expression("cores + irq <= 10")};
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = trials;
  return experiment;
}

const RunBlock& block_of(const NextStep& step) {
  REQUIRE(std::holds_alternative<RunBlock>(step));
  return std::get<RunBlock>(step);
}

/// Drives a study with the given world until `phase` is about to begin a block or the study ends.
StudyView until_phase(const World& world, const Experiment& experiment, Purpose phase) {
  Simulation simulation(world, fresh(experiment));
  while (simulation.step())
    if (!simulation.study().trials.empty() && simulation.study().trials.back().purpose == phase) return simulation.study();
  FAIL("the study has no such phase");
  return {};
}

const Decision* find(const StudyView& study, DecisionKind kind) {
  const auto found = std::ranges::find(study.decisions, kind, &Decision::kind);
  return found == study.decisions.end() ? nullptr : &*found;
}

void same_records(const StudyView& one, const StudyView& other) {
  REQUIRE(one.trials.size() == other.trials.size());
  for (std::size_t i = 0; i < one.trials.size(); ++i) {
    CHECK(one.trials[i].configuration_id == other.trials[i].configuration_id);
    CHECK(one.trials[i].seed == other.trials[i].seed);
    CHECK(one.trials[i].measurements == other.trials[i].measurements);
  }
  REQUIRE(one.decisions.size() == other.decisions.size());
  for (std::size_t i = 0; i < one.decisions.size(); ++i) CHECK(one.decisions[i].inputs_json == other.decisions[i].inputs_json);
}

}  // namespace

TEST_CASE("a study begins with two blocks of the baseline alone") {
  const StudyView study = fresh(random_experiment(40));
  const NextStep step = next_step(study, {.trials = 40});
  CHECK(block_of(step).block == 1);
  CHECK(block_of(step).purpose == Purpose::pilot);
  REQUIRE(block_of(step).trials.size() == 3);
  std::set<std::uint64_t> seeds;
  for (const BlockTrial& trial : block_of(step).trials) {
    CHECK(trial.configuration == study.space.baseline());
    seeds.insert(trial.seed);
  }
  CHECK(seeds.size() == 3);
}

TEST_CASE("the phases follow each other: pilot, search, confirmation, verdict") {
  const World world;
  const auto simulated = simulate_study(world, random_experiment(40), 3);
  REQUIRE(simulated);
  std::vector<Purpose> phases;
  for (const Trial& trial : simulated->study.trials)
    if (phases.empty() || phases.back() != trial.purpose) phases.push_back(trial.purpose);
  CHECK(phases == std::vector<Purpose>{Purpose::pilot, Purpose::search, Purpose::confirm});
  CHECK(std::holds_alternative<Finished>(next_step(simulated->study, {.trials = 100})));
}

TEST_CASE("every search block has the baseline once and its order is drawn anew") {
  const auto simulated = simulate_study({}, random_experiment(200), 5);
  REQUIRE(simulated);
  std::map<int, int> baselines;
  std::set<int> positions;
  for (const Trial& trial : simulated->study.trials) {
    if (trial.purpose != Purpose::search) continue;
    baselines[trial.block] += trial.configuration_id == kBaselineId ? 1 : 0;
    if (trial.configuration_id == kBaselineId) positions.insert(trial.position);
  }
  for (const auto& [block, n] : baselines) CHECK(n == 1);
  CHECK(positions.size() == 4);
}

TEST_CASE("the test is written down before its first trial is run") {
  const StudyView study = until_phase({}, random_experiment(40), Purpose::confirm);
  const Decision* promoted = find(study, DecisionKind::promote);
  REQUIRE(promoted != nullptr);
  CHECK(promoted->method == "paired-t-log");
  CHECK(promoted->n == 6);
  CHECK(promoted->alpha == 0.025);
  CHECK(promoted->versus == kBaselineId);
  CHECK(promoted->configuration_id != kBaselineId);
  CHECK(std::ranges::none_of(study.trials, [](const Trial& trial) { return trial.purpose == Purpose::confirm && trial.outcome; }));
}

TEST_CASE("the baseline leading the search does not end the study: the best other one is confirmed") {
  World world;
  world.effect = [](const Configuration&) { return -0.3; };
  world.noise = 0.005;
  const auto simulated = simulate_study(world, random_experiment(40), 3);
  REQUIRE(simulated);
  CHECK(find(simulated->study, DecisionKind::promote) != nullptr);
  CHECK(simulated->verdict.kind == VerdictKind::no_improvement);
  CHECK(simulated->verdict.configuration_id == kBaselineId);
  CHECK(simulated->verdict.leader_id != kBaselineId);
}

TEST_CASE("the same record, seed and budget give the same step") {
  const StudyView study = until_phase({}, random_experiment(40), Purpose::search);
  StudyView done = study;
  std::erase_if(done.trials, [](const Trial& trial) { return trial.state == TrialState::planned; });
  const NextStep one = next_step(done, {.trials = 20}), other = next_step(done, {.trials = 20});
  REQUIRE(block_of(one).trials.size() == block_of(other).trials.size());
  for (std::size_t i = 0; i < block_of(one).trials.size(); ++i) {
    CHECK(block_of(one).trials[i].configuration == block_of(other).trials[i].configuration);
    CHECK(block_of(one).trials[i].seed == block_of(other).trials[i].seed);
  }
}

TEST_CASE("a study interrupted at any step and resumed is the uninterrupted one") {
  World world{.noise = 0.05, .drift = 0.05, .invalid = 0.1};
  world.effect = [](const Configuration& configuration) { return configuration.values.empty() ? 0 : 0.05; };
  Simulation whole(world, fresh(random_experiment(40)));
  std::vector<StudyView> cuts;
  do {
    cuts.push_back(whole.study());
  } while (whole.step());
  REQUIRE(cuts.size() > 40);
  for (const StudyView& cut : cuts) {
    Simulation resumed(world, cut);
    while (resumed.step()) {
    }
    same_records(resumed.study(), whole.study());
  }
}

TEST_CASE("with several finalists and a smaller change, too, an interrupted study is the uninterrupted one") {
  World world{.noise = 0.02, .drift = 0.05, .invalid = 0.05};
  world.effect = [](const Configuration& configuration) {
    const auto found = configuration.values.find("n");
    return found != configuration.values.end() && found->second == Value(std::int64_t{3}) ? 0.2 : 0.0;
  };
  Experiment experiment = experiment_of({levels("n", {1, 2, 3, 4}), levels("m", {1})});
  experiment.search.strategy = StrategyKind::sweep;
  experiment.search.repeats = 60;
  experiment.budget.trials = 300;
  Simulation whole(world, fresh(experiment));
  std::vector<StudyView> cuts;
  int step = 0;
  do {
    const bool late = !whole.study().trials.empty() && whole.study().trials.back().purpose != Purpose::search;
    if (late && ++step % 5 == 0) cuts.push_back(whole.study());
  } while (whole.step());
  CHECK(std::ranges::count(whole.study().decisions, DecisionKind::promote, &Decision::kind) == 4);
  CHECK(find(whole.study(), DecisionKind::eliminate) != nullptr);
  for (const StudyView& cut : cuts) {
    Simulation resumed(world, cut);
    while (resumed.step()) {
    }
    same_records(resumed.study(), whole.study());
  }
}

TEST_CASE("no study spends more than its budget, and all configurations satisfy the constraints") {
  const World world{.noise = 0.05, .invalid = 0.15};
  for (int trials = 1; trials <= 130; trials += 3) {
    CAPTURE(trials);
    const auto simulated = simulate_study(world, random_experiment(trials), static_cast<std::uint64_t>(trials));
    REQUIRE(simulated);
    CHECK(std::ssize(simulated->study.trials) <= trials);
    CHECK_FALSE(simulated->verdict.statement.empty());
    for (const StudyConfiguration& known : simulated->study.configurations) CHECK(simulated->study.space.satisfies(known.configuration));
  }
}

TEST_CASE("a sweep visits every configuration as often as it was asked to") {
  Experiment experiment = experiment_of({levels("processes", {1, 2, 4})});
  experiment.search.strategy = StrategyKind::sweep;
  experiment.search.repeats = 10;
  const auto simulated = simulate_study({}, experiment, 1);
  REQUIRE(simulated);
  std::map<std::int64_t, int> visits;
  for (const Trial& trial : simulated->study.trials)
    if (trial.purpose == Purpose::search) ++visits[trial.configuration_id];
  REQUIRE(visits.size() == 4);
  for (const auto& [id, n] : visits) CHECK(n == 10);
}

TEST_CASE("when the clock presses the confirmation still gets its six blocks") {
  World world;
  world.clock = 45.0;
  Experiment experiment = random_experiment(400);
  const auto simulated = simulate_study(world, experiment, 2);
  REQUIRE(simulated);
  CHECK(std::ssize(simulated->study.trials) <= 45);
  CHECK(simulated->verdict.blocks >= 6);
}

TEST_CASE("a clock that leaves no room for the confirmation ends the study without a claim") {
  StudyView study = until_phase({}, random_experiment(40), Purpose::confirm);
  std::erase_if(study.trials, [](const Trial& trial) { return trial.purpose == Purpose::confirm; });
  std::erase_if(study.decisions, [](const Decision& decision) { return decision.kind == DecisionKind::promote; });
  const NextStep step = next_step(study, {.trials = 20, .trials_by_time = 11.5});
  REQUIRE(std::holds_alternative<Decide>(step));
  study.decisions.push_back(std::get<Decide>(step).decisions.back());
  const auto verdict = verdict_of(study);
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::cannot_tell);
  CHECK_FALSE(verdict->effect);
  CHECK_THAT(verdict->statement, Catch::StartsWith("Not proven: the clock stopped the study"));
}

TEST_CASE("configurations that always fail are recorded as infeasible and the study says that nothing could be confirmed") {
  World world;
  world.fails = [](const Configuration& configuration) {
    return std::ranges::any_of(configuration.values, [](const auto& value) { return !std::holds_alternative<AsFound>(value.second); });
  };
  const auto simulated = simulate_study(world, random_experiment(40), 2);
  REQUIRE(simulated);
  CHECK(simulated->verdict.kind == VerdictKind::cannot_tell);
  CHECK(simulated->verdict.configuration_id == kBaselineId);
  CHECK_THAT(simulated->verdict.statement, Catch::Contains("it failed in 1 trial"));
  CHECK(find(simulated->study, DecisionKind::infeasible) != nullptr);
  CHECK(find(simulated->study, DecisionKind::promote) == nullptr);
}

TEST_CASE("a machine on which nothing can be measured ends after the pilot") {
  const World world{.invalid = 1};
  const auto simulated = simulate_study(world, random_experiment(40), 2);
  REQUIRE(simulated);
  CHECK(simulated->verdict.kind == VerdictKind::cannot_tell);
  CHECK_THAT(simulated->verdict.statement, Catch::StartsWith("The settings you had could not be measured (clock-step)"));
  CHECK(simulated->study.trials.size() == 12);  // six, each tried twice
}

TEST_CASE("block seeds differ between blocks and studies") {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t study = 1; study <= 20; ++study)
    for (int block = 1; block <= 100; ++block) seeds.insert(block_seed(study, block));
  CHECK(seeds.size() == 2000);
}
