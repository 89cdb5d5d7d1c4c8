#include "strategies/search/bayesian.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "strategies/search/acquisition.hpp"
#include "strategies/search/candidates.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Experiment wide_experiment(int trials) {
  Experiment experiment = experiment_of({range("n", 0, 100), range("m", 0, 100)});
  experiment.search.strategy = StrategyKind::bayesian;
  experiment.budget.trials = trials;
  return experiment;
}

/// Best at n = 70, m = 30: 40 % better than the baseline; m counts less.
World hill() {
  World world;
  world.noise = 0.02;
  world.effect = [](const Configuration& configuration) {
    const auto number = [&](const char* name) {
      const auto found = configuration.values.find(name);
      const auto* whole = found == configuration.values.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
      return whole == nullptr ? 0.0 : static_cast<double>(*whole);
    };
    const double n = (number("n") - 70) / 40, m = (number("m") - 30) / 80;
    return 0.4 * std::exp(-n * n - m * m);
  };
  return world;
}

/// A study after so many trials.
StudyView after(const World& world, const Experiment& experiment, std::size_t trials) {
  Simulation simulation(world, fresh(experiment));
  while (simulation.study().trials.size() < trials && simulation.step()) {
  }
  while (!simulation.study().trials.back().outcome && simulation.step()) {
  }
  return simulation.study();
}

std::size_t search_trials(const StudyView& study) {
  return static_cast<std::size_t>(std::ranges::count(study.trials, Purpose::search, &Trial::purpose));
}

}  // namespace

TEST_CASE("bayesian finds the top of a hill that random search only comes near to") {
  const World world = hill();
  for (const std::uint64_t seed : {1, 2, 3}) {
    CAPTURE(seed);
    const auto done = simulate_study(world, wide_experiment(60), seed, {{"cpus", 8}});
    REQUIRE(done);
    CHECK(done->verdict.kind == VerdictKind::winner);
    const auto handed = std::ranges::find(done->study.configurations, done->verdict.configuration_id, &StudyConfiguration::id);
    CHECK(world.effect(handed->configuration) > 0.35);
  }
}

TEST_CASE("the same record and seed give the same proposal, with and without what was remembered") {
  const StudyView study = after(hill(), wide_experiment(80), 35);
  SurrogateMemory memory;
  const int block = study.trials.back().block + 1;
  const auto first = Bayesian(&memory).ask(study, block, 1), again = Bayesian(&memory).ask(study, block, 1),
             without = Bayesian(nullptr).ask(study, block, 1);
  REQUIRE(first.size() == 1);
  CHECK(first.front().configuration == again.front().configuration);
  CHECK(first.front().configuration == without.front().configuration);
  CHECK(first.front().origin == without.front().origin);
}

TEST_CASE("every twentieth trial of the search is the baseline") {
  const StudyView study = after(hill(), wide_experiment(120), 70);
  std::size_t number = 0;
  for (const Trial& trial : study.trials)
    if (trial.purpose == Purpose::search && ++number % 20 == 0) CHECK(trial.configuration_id == kBaselineId);
  CHECK(number > 40);
}

TEST_CASE("what is being run is not proposed again") {
  StudyView study = after(hill(), wide_experiment(80), 40);
  std::set<std::string> texts;
  for (int open = 0; open < 6; ++open) {
    const int block = study.trials.back().block + 1;
    const auto proposals = Bayesian(nullptr).ask(study, block, 1);
    REQUIRE(proposals.size() == 1);
    const bool repeated = proposals.front().origin == "again" || proposals.front().origin == "control";
    if (!repeated) CHECK(texts.insert(canonical_text(proposals.front().configuration)).second);
    const std::int64_t id = add_configuration(study, proposals.front().configuration);
    study.trials.push_back({.id = std::ssize(study.trials) + 1, .configuration_id = id, .purpose = Purpose::search, .block = block});
  }
}

TEST_CASE("in a space of a few configurations the leaders are measured again") {
  Experiment experiment = experiment_of({levels("n", {1, 2, 3, 4})});
  experiment.search.strategy = StrategyKind::bayesian;
  experiment.budget.trials = 40;
  World world;
  world.effect = [](const Configuration& configuration) { return configuration == with_value("n", 3) ? 0.2 : 0.0; };
  int won = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto done = simulate_study(world, experiment, seed, {{"cpus", 8}});
    REQUIRE(done);
    CHECK(search_trials(done->study) == 20);
    won += done->verdict.kind == VerdictKind::winner ? 1 : 0;
  }
  CHECK(won >= 9);
}

TEST_CASE("the search ends early where nothing is left, and not where there is noise to see through") {
  World flat;
  flat.noise = 0.001;
  const StudyView quiet = after(flat, wide_experiment(300), 299);
  CHECK(std::ranges::count(quiet.decisions, DecisionKind::stop, &Decision::kind) == 1);
  CHECK(search_trials(quiet) < static_cast<std::size_t>(split_budget(300).search));
  flat.noise = 0.08;
  const StudyView loud = after(flat, wide_experiment(120), 100);
  CHECK(std::ranges::count(loud.decisions, DecisionKind::stop, &Decision::kind) == 0);
}

TEST_CASE("configurations with a level that makes trials fall are expected to spread, and put back") {
  Parameter word{.name = "word", .sets = {"server.word"}, .type = ParameterType::categorical};
  for (const char* level : {"a", "b", "c", "d"}) word.values.emplace_back(std::string(level));
  const auto falls = [](const Configuration& configuration) {
    const auto found = configuration.values.find("word");
    return found != configuration.values.end() && found->second == Value(std::string("c"));
  };
  World world;
  world.noise = 0.01;
  world.effect = [falls](const Configuration& configuration) { return falls(configuration) ? 0.2 : 0.0; };
  world.slow_mode = SlowMode{.probability = 0.5, .depth = 0.25, .applies = falls};
  Experiment experiment = experiment_of({word, range("n", 0, 100)});
  experiment.search.strategy = StrategyKind::bayesian;
  experiment.budget.trials = 150;
  const StudyView study = after(world, experiment, 110);
  const auto standings = standings_of(study);
  REQUIRE(standings);
  REQUIRE(standings->steady);
  struct Kind {
    double spread = 0, unrest = 0;
    int n = 0;
  } falling, steady;
  for (const Standing& standing : standings->others) {
    const auto known = std::ranges::find(study.configurations, standing.id, &StudyConfiguration::id);
    Kind& kind = falls(known->configuration) ? falling : steady;
    REQUIRE(standing.spread);
    kind.spread += *standing.spread;
    kind.unrest += standing.unrest;
    ++kind.n;
  }
  REQUIRE(falling.n > 3);
  REQUIRE(steady.n > 3);
  CHECK(falling.spread / falling.n > 2 * steady.spread / steady.n);
  CHECK(falling.unrest / falling.n > 0);
  CHECK(steady.unrest / steady.n < 0.001);
}

TEST_CASE("changed and crossed configurations are in the space and keep its constraints") {
  Experiment experiment = experiment_of({levels("mode", {0, 1}), range("n", 0, 50), range("m", 0, 50)});
  experiment.parameters[2].when = expression("mode == 1");
  experiment.require.push_back(expression("n + m <= 60"));
  const SearchSpace space = space_of(experiment);
  Random random(4);
  Configuration parent = space.baseline(), other = space.baseline();
  int moved = 0;
  for (int i = 0; i < 300; ++i) {
    const auto child = mutated(space, parent, random);
    const auto mixed = crossed(space, parent, other, random);
    REQUIRE(child);
    REQUIRE(mixed);
    for (const Configuration& made : {*child, *mixed}) {
      CHECK(space.canonical(made).value() == made);
      CHECK(space.satisfies(made));
    }
    moved += *child != parent ? 1 : 0;
    other = parent;
    parent = *child;
  }
  CHECK(moved > 200);
}
