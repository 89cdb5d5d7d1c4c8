// How often the claims are wrong, and how often a real gain is found, counted over seeded studies on simulated machines. The numbers are
// fixed by the seeds: a failure here is a change of the procedure, not bad luck. tests/sweep counts more of them.

#include <catch2/catch.hpp>

#include "strategies/statistics/binomial.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

constexpr int kNullStudies = 300;
constexpr int kGainStudies = 100;

Experiment small_random() {
  Experiment experiment = experiment_of({levels("processes", {1, 2, 3, 4}), range("rmem", 65536, 16777216)});
  experiment.parameters[1].scale = Scale::logarithmic;
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = 40;
  return experiment;
}

struct Counts {
  int winners = 0, worse_handed_over = 0, covered = 0, with_interval = 0;
};

/// `truth`: the relative difference of the leader that the world has.
Counts count(const World& world, const Experiment& experiment, int studies, std::uint64_t first_seed) {
  Counts counts;
  for (int i = 0; i < studies; ++i) {
    const auto simulated = simulate_study(world, experiment, first_seed + static_cast<std::uint64_t>(i));
    REQUIRE(simulated);
    const StudyVerdict& verdict = simulated->verdict;
    const auto truth_of = [&](std::int64_t id) {
      return world.effect ? world.effect(simulated->study.configurations[static_cast<std::size_t>(id - 1)].configuration) : 0.0;
    };
    counts.winners += verdict.kind == VerdictKind::winner ? 1 : 0;
    counts.worse_handed_over += truth_of(verdict.configuration_id) < 0 ? 1 : 0;
    if (!verdict.effect) continue;
    ++counts.with_interval;
    const double truth = truth_of(verdict.leader_id);
    counts.covered += verdict.effect->low <= truth && truth <= verdict.effect->high ? 1 : 0;
  }
  return counts;
}

double two_processes(const Configuration& configuration) {
  const auto found = configuration.values.find("processes");
  return found != configuration.values.end() && found->second == Value(std::int64_t{2}) ? 0.2 : 0.0;
}

}  // namespace

TEST_CASE("where nothing is better a winner is claimed in at most one study of twenty") {
  const std::vector<World> worlds{{.noise = 0.03}, {.noise = 0.08}, {.noise = 0.03, .block_spread = 0.1, .drift = 0.05}};
  std::uint64_t seed = 1;
  for (const World& world : worlds) {
    const Counts counts = count(world, small_random(), kNullStudies, seed);
    seed += 10'000;
    CAPTURE(world.noise, world.drift, counts.winners);
    CHECK(counts.winners <= 0.05 * kNullStudies);
    CHECK(*clopper_pearson_upper(counts.winners, kNullStudies, 0.95) < 0.07);
    CHECK(counts.with_interval == kNullStudies);
    CHECK(counts.covered >= 0.92 * kNullStudies);
  }
}

TEST_CASE("with several finalists, too, a winner is claimed in at most one study of twenty where nothing is better") {
  constexpr int kStudies = 150;
  Experiment experiment = experiment_of({levels("processes", {1, 2, 3, 4, 5, 6, 7, 8})});
  experiment.search.strategy = StrategyKind::sweep;
  experiment.search.repeats = 100;
  std::uint64_t seed = 50'000;
  for (const int trials : {100, 200}) {
    experiment.budget.trials = trials;
    const Counts counts = count({.noise = 0.08, .drift = 0.05}, experiment, kStudies, seed);
    seed += 10'000;
    CAPTURE(trials, counts.winners);
    CHECK(counts.winners <= 0.05 * kStudies);
    CHECK(counts.covered >= 0.95 * counts.with_interval);
  }
}

TEST_CASE("a gain of 20 % on a machine with 3 % noise is found and claimed") {
  World world{.noise = 0.03};
  world.effect = two_processes;
  Experiment experiment = experiment_of({levels("processes", {1, 2, 3, 4})});
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = 40;
  const Counts counts = count(world, experiment, kGainStudies, 500);
  CHECK(counts.winners >= 0.95 * kGainStudies);
  CHECK(counts.covered >= 0.90 * kGainStudies);
}

TEST_CASE("where everything else is worse the settings that were found are kept") {
  World world{.noise = 0.05, .drift = 0.05};
  world.effect = [](const Configuration& configuration) {
    return std::ranges::all_of(configuration.values, [](const auto& value) { return std::holds_alternative<AsFound>(value.second); })
               ? 0.0
               : -0.05;
  };
  const Counts counts = count(world, small_random(), kGainStudies, 900);
  CHECK(counts.winners == 0);
  CHECK(counts.worse_handed_over <= 0.02 * kGainStudies);
}

TEST_CASE("a configuration with a second slow mode does not win on its good trials") {
  World world{.noise = 0.02};
  world.effect = [](const Configuration& configuration) { return two_processes(configuration) > 0 ? 0.05 : -0.1; };
  world.slow_mode = SlowMode{
      .probability = 0.4, .depth = 0.5, .applies = [](const Configuration& configuration) { return two_processes(configuration) > 0; }};
  Experiment experiment = experiment_of({levels("processes", {1, 2, 3, 4})});
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = 40;
  CHECK(count(world, experiment, kGainStudies, 1300).winners <= 0.02 * kGainStudies);
}
