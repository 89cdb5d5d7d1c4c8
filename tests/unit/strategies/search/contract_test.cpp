// What holds for every strategy, on one study with all that a space can have: categories, a condition, a constraint, a logarithmic range,
// a special value, a configuration to start with and a region that fails.

#include <catch2/catch.hpp>
#include <set>

#include "strategies/search/choice.hpp"
#include "strategies/search/strategy.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// `automatic` is one of these.
const std::vector<StrategyKind> kAll{StrategyKind::sweep, StrategyKind::random, StrategyKind::one_at_a_time, StrategyKind::screening,
                                     StrategyKind::local, StrategyKind::cma_es, StrategyKind::bayesian,      StrategyKind::manual};

double number(const Configuration& configuration, const std::string& name, double otherwise) {
  const auto found = configuration.values.find(name);
  const auto* whole = found == configuration.values.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return whole == nullptr ? otherwise : static_cast<double>(*whole);
}

Experiment rich_experiment(StrategyKind strategy) {
  Parameter model{.name = "model", .sets = {"server.model"}, .type = ParameterType::categorical};
  model.values = {Value(std::string("epoll")), Value(std::string("uring")), Value(std::string("xdp"))};
  model.default_value = Value(std::string("epoll"));
  Parameter frames = range("frames", 1, 8);
  frames.default_value = Value(std::int64_t{2});
  frames.when = expression("model == 'xdp'");
  Parameter buffer = range("buffer", 1024, 1 << 20);
  buffer.type = ParameterType::bytes;
  buffer.scale = Scale::logarithmic;
  buffer.default_value = Value(std::int64_t{4096});
  buffer.special = {Value(std::int64_t{0})};
  Parameter threads = range("threads", 1, 16);
  threads.default_value = Value(std::int64_t{4});
  Experiment experiment = experiment_of({model, frames, buffer, threads});
  experiment.require = {expression("model != 'uring' or threads <= 8")};
  experiment.search.strategy = strategy;
  experiment.search.repeats = 4;
  experiment.search.start = {{.values = {{"model", Value(std::string("uring"))}, {"threads", Value(std::int64_t{6})}}}};
  experiment.budget.trials = 80;
  return experiment;
}

World rich_world() {
  World world{.noise = 0.02};
  world.effect = [](const Configuration& c) {
    const auto model = c.values.at("model");
    const double by_model = model == Value(std::string("xdp")) ? 0.15 : model == Value(std::string("uring")) ? 0.08 : 0.0;
    return by_model + 0.02 * std::min(number(c, "threads", 4), 10.0) +
           0.02 * std::log2(std::max(1024.0, number(c, "buffer", 4096)) / 4096) - 0.08;
  };
  world.fails = [](const Configuration& c) { return number(c, "threads", 4) > 12; };
  return world;
}

SimulatedStudy simulated(const Experiment& experiment, std::uint64_t seed) {
  return simulate_study(rich_world(), experiment, seed).value();
}

const Configuration& configuration_of(const StudyView& study, std::int64_t id) {
  return std::ranges::find(study.configurations, id, &StudyConfiguration::id)->configuration;
}

std::string trace(const StudyView& study) {
  std::string text;
  for (const Trial& trial : study.trials)
    text += std::to_string(trial.block) + " " + std::to_string(trial.position) + " " +
            canonical_text(configuration_of(study, trial.configuration_id));
  return text;
}

}  // namespace

TEST_CASE("every strategy begins with search.start, stays in the space, canonical, and satisfies the constraints") {
  for (const StrategyKind kind : kAll) {
    CAPTURE(to_text(kind));
    const StudyView study = simulated(rich_experiment(kind), 3).study;
    CHECK(study.configurations.at(1).origin == "start");
    for (const StudyConfiguration& known : study.configurations) {
      CHECK(study.space.canonical(known.configuration) == known.configuration);
      CHECK(study.space.satisfies(known.configuration));
    }
  }
}

TEST_CASE("no strategy has a configuration twice in a block, or one again that failed in an earlier block") {
  for (const StrategyKind kind : kAll)
    for (const std::uint64_t seed : {4, 5}) {
      CAPTURE(to_text(kind), seed);
      const StudyView study = simulated(rich_experiment(kind), seed).study;
      std::map<std::int64_t, int> failed_in;
      std::set<std::pair<int, std::int64_t>> seen;
      for (const Trial& trial : study.trials) {
        if (trial.purpose != Purpose::search || trial.attempt > 1) continue;
        CHECK(seen.insert({trial.block, trial.configuration_id}).second);
        if (const auto failed = failed_in.find(trial.configuration_id); failed != failed_in.end()) CHECK(failed->second == trial.block);
        if (trial.outcome == Outcome::failed) failed_in.try_emplace(trial.configuration_id, trial.block);
      }
    }
}

TEST_CASE("with every strategy an interrupted study goes on as an uninterrupted one") {
  const World world = rich_world();
  for (const StrategyKind kind : kAll) {
    CAPTURE(to_text(kind));
    Experiment experiment = rich_experiment(kind);
    experiment.study.seed = 11;
    Simulation whole(world, fresh(experiment));
    std::vector<StudyView> records;
    for (int step = 0; whole.step(); ++step)
      if (step % 41 == 17) records.push_back(whole.study());
    CHECK_FALSE(records.empty());
    for (const StudyView& record : records) {
      Simulation resumed(world, record);
      while (resumed.step()) {
      }
      CHECK(trace(resumed.study()) == trace(whole.study()));
    }
  }
}

TEST_CASE("every strategy ends, also where nothing but the baseline can be tried") {
  for (const StrategyKind kind : kAll) {
    CAPTURE(to_text(kind));
    Experiment experiment = rich_experiment(kind);
    experiment.search.start.clear();
    experiment.require = {expression("threads > 100")};
    const SimulatedStudy study = simulated(experiment, 2);
    CHECK(study.verdict.configuration_id == kBaselineId);
    CHECK(study.study.configurations.size() == 1);
  }
}

TEST_CASE("every strategy but a list by hand ends where all of a small space is known") {
  for (const StrategyKind kind : kAll) {
    CAPTURE(to_text(kind));
    Experiment experiment = experiment_of({levels("n", {1, 2, 3})});
    experiment.search.strategy = kind;
    experiment.search.repeats = 4;
    experiment.budget.trials = 100;
    World world{.noise = 0.02, .effect = [](const Configuration& c) { return 0.1 * number(c, "n", 0); }};
    const auto study = simulate_study(world, experiment, 2);
    REQUIRE(study);
    const bool by_hand = kind == StrategyKind::manual;
    CHECK(study->study.configurations.size() == (by_hand ? 1 : 4));
    if (!by_hand) CHECK(study->verdict.configuration_id != kBaselineId);
  }
}

TEST_CASE("every strategy that searches finds something better than the baseline in most studies") {
  const World world = rich_world();
  for (const StrategyKind kind : kAll) {
    if (kind == StrategyKind::sweep) continue;  // as random in a space without end
    CAPTURE(to_text(kind));
    int better = 0;
    const int studies = kind == StrategyKind::bayesian ? 2 : 20;  // a model takes longer
    for (int seed = 1; seed <= studies; ++seed) {
      const SimulatedStudy study = simulated(rich_experiment(kind), static_cast<std::uint64_t>(seed));
      const Configuration& handed = configuration_of(study.study, study.verdict.configuration_id);
      better += world.effect(handed) > (kind == StrategyKind::manual ? 0.05 : 0.12) ? 1 : 0;
    }
    CHECK(better >= (9 * studies) / 10);
  }
}
