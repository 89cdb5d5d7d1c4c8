#include "strategies/worlds/simulation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "strategies/statistics/summary.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

std::vector<double> logs(const World& world, int n, int trials_per_block) {
  WorldNoise noise(world, 11);
  std::vector<double> values;
  for (int id = 1; id <= n; ++id) {
    Trial trial{.id = id, .block = 1 + (id - 1) / trials_per_block};
    noise.measure(trial, {}, "qps");
    values.push_back(std::log(trial.measurements.at("qps") / world.level));
  }
  return values;
}

}  // namespace

TEST_CASE("a world has the noise that it says") {
  const auto summary = summarise_values(logs({.noise = 0.05}, 4000, 1));
  CHECK(summary->mean == Approx(0).margin(0.004));
  CHECK(*summary->standard_deviation == Approx(0.05).epsilon(0.05));
}

TEST_CASE("blocks move all of their trials together") {
  const World world{.noise = 0, .block_spread = 0.1};
  const auto values = logs(world, 40, 4);
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == Approx(values[i - i % 4]));
  CHECK(*summarise_values(values)->standard_deviation > 0.05);
}

TEST_CASE("drift changes slowly and keeps its spread") {
  const auto values = logs({.noise = 0, .drift = 0.05, .drift_trials = 40}, 8000, 1);
  CHECK(*summarise_values(values)->standard_deviation == Approx(0.05).epsilon(0.2));
  double steps = 0;
  for (std::size_t i = 1; i < values.size(); ++i) steps += std::abs(values[i] - values[i - 1]) / static_cast<double>(values.size());
  CHECK(steps < 0.015);
}

TEST_CASE("the slow mode takes its share of trials") {
  const World world{.noise = 0,
                    .slow_mode = SlowMode{.probability = 0.25, .depth = 0.5, .applies = [](const Configuration&) { return true; }}};
  int slow = 0;
  for (const double value : logs(world, 2000, 1)) slow += value < -0.5 ? 1 : 0;
  CHECK(slow == Approx(500).margin(60));
}

TEST_CASE("what a trial shows depends on seed and trial alone, not on what was simulated before") {
  const World world{.noise = 0.03, .drift = 0.05};
  WorldNoise fresh_noise(world, 3), used(world, 3);
  Trial earlier{.id = 1}, late{.id = 50}, same{.id = 50};
  used.measure(earlier, {}, "qps");
  used.measure(late, {}, "qps");
  fresh_noise.measure(same, {}, "qps");
  CHECK(late.measurements == same.measurements);
}

TEST_CASE("an invalid trial is repeated in its place, at most as often as the experiment allows") {
  Experiment experiment = experiment_of({levels("n", {1, 2})});
  experiment.budget.trials = 40;
  const auto simulated = simulate_study({.invalid = 0.3}, experiment, 8);
  REQUIRE(simulated);
  bool repeated = false;
  for (const Trial& trial : simulated->study.trials) {
    CHECK(trial.attempt <= experiment.trial.attempts);
    repeated = repeated || trial.attempt == 2;
  }
  CHECK(repeated);
}

TEST_CASE("a space that cannot be worked out is an error, not a study") {
  Experiment experiment = experiment_of({range("n", 8, 1)});
  CHECK_FALSE(simulate_study({}, experiment, 1));
}
