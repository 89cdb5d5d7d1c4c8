#include "strategies/worlds/test_bed.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "strategies/designs/random.hpp"
#include "tests/support/captures.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;
using netsettle::tests::Json;

namespace {

Configuration configuration_of(const Json& values) {
  Configuration configuration;
  for (const auto& [name, value] : values.items())
    configuration.values[name] = value.is_string() ? Value(value.get<std::string>()) : Value(value.get<std::int64_t>());
  return configuration;
}

Value any_value(const Domain& domain, Random& random) {
  if (!domain.levels.empty()) return domain.levels[random.index(domain.levels.size())];
  if (domain.scale == Scale::linear) return random.integer(static_cast<std::int64_t>(domain.low), static_cast<std::int64_t>(domain.high));
  return static_cast<std::int64_t>(std::exp(std::log(domain.low) + random.uniform() * std::log(domain.high / domain.low)));
}

Configuration anywhere(const SearchSpace& space, Random& random) {
  Configuration configuration;
  for (const Domain& domain : space.domains()) configuration.values[domain.name] = any_value(domain, random);
  return configuration;
}

/// The values next to this one.
std::vector<Value> neighbours(const Domain& domain, const Value& value) {
  if (!domain.levels.empty()) return domain.levels;
  const double at = static_cast<double>(std::get<std::int64_t>(value));
  std::vector<Value> near;
  for (const double next : {at - 1, at + 1})
    if (next >= domain.low && next <= domain.high) near.emplace_back(static_cast<std::int64_t>(next));
  return near;
}

}  // namespace

// Computed by tests/bench/peers/truth_table.py (Python 3.11).
TEST_CASE("the published machines are those of the other optimisers, value for value") {
  std::map<std::string, TestMachine> machines;
  std::map<std::string, int> counts;
  const auto cases = netsettle::tests::load_captures("test_bed");
  for (const Json& row : cases) {
    const auto name = row.at("machine").get<std::string>();
    if (!machines.contains(name)) machines.emplace(name, test_machine(name).value());
    const TestMachine& machine = machines.at(name);
    INFO(row.dump());
    const Truth truth = truth_of(machine.world, configuration_of(row.at("values")));
    CHECK(truth.mean == Approx(row.at("mean").get<double>()).epsilon(1e-12));
    CHECK(truth.fails == row.at("fails").get<bool>());
    CHECK(100 * (1 - truth.mean / machine.optimum) == Approx(row.at("regret_percent").get<double>()).margin(1e-9));
    CHECK(std::sqrt(std::expm1(machine.world.noise * machine.world.noise)) == Approx(row.at("noise").get<double>()).epsilon(1e-12));
    if (!truth.fails) CHECK(truth.slow_probability == row.at("slow_probability").get<double>());
    if (!truth.fails) CHECK(truth.slow_depth == row.at("slow_depth").get<double>());
    ++counts[name];
  }
  CHECK(counts.size() == 7);
  for (const auto& [name, count] : counts) CHECK(count >= 40);
}

TEST_CASE("nothing on a machine of the test bed is better than its optimum") {
  Random random(5);
  for (const std::string& name : test_machine_names()) {
    INFO(name);
    const TestMachine machine = test_machine(name).value();
    const SearchSpace space = space_of(machine.experiment);
    REQUIRE(space.canonical(machine.best));
    CHECK(machine.optimum == truth_of(machine.world, machine.best).mean);
    for (int i = 0; i < 300; ++i) CHECK(truth_of(machine.world, anywhere(space, random)).mean <= machine.optimum);
    for (const Domain& domain : space.domains()) {
      const auto best = machine.best.values.find(domain.name);
      if (best == machine.best.values.end() || best->second == Value(AsFound{})) continue;
      for (const Value& value : neighbours(domain, best->second)) {
        Configuration near = machine.best;
        near.values[domain.name] = value;
        CHECK(truth_of(machine.world, near).mean <= machine.optimum * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("as found, not said and inactive are the default") {
  const TestMachine machine = test_machine("irq9").value();
  const double baseline = truth_of(machine.world, {}).mean;
  CHECK(baseline == machine.world.level);
  CHECK(truth_of(machine.world, space_of(machine.experiment).baseline()).mean == baseline);
  CHECK(truth_of(machine.world, {.values = {{"irq_cores", Value(std::int64_t{8})}}}).mean == baseline);
}

TEST_CASE("a machine wanders by its swing, its step and its walk, the same for every configuration") {
  World world{.noise = 0, .wander = {.swing = 0.05, .step = 0.06}};
  std::vector<double> values;
  WorldNoise noise(world, 4);
  for (int id = 0; id < 600; ++id) {
    Trial trial{.id = id};
    noise.measure(trial, {}, "value");
    values.push_back(trial.measurements.at("value") / world.level);
  }
  CHECK(*std::ranges::max_element(values) <= 1.05);
  CHECK(*std::ranges::min_element(values) >= 0.95 * 0.94 - 1e-12);
  int steps = 0;
  for (std::size_t i = 1; i < values.size(); ++i) steps += values[i] / values[i - 1] < 0.95 ? 1 : 0;
  CHECK(steps == 1);
  world.wander = {.walk = 0.003};
  Trial early{.id = 1}, late{.id = 400}, again{.id = 400};
  WorldNoise walk(world, 4), other(world, 4);
  walk.measure(early, {}, "value");
  walk.measure(late, {}, "value");
  other.measure(again, {}, "value");
  CHECK(late.measurements == again.measurements);
  CHECK(late.measurements != early.measurements);
}

TEST_CASE("a configuration's own slow mode lowers its mean and shows in its share of trials") {
  World world{.noise = 0};
  world.slow_mode_of = [](const Configuration& configuration) {
    return configuration.values.empty() ? SlowMode{} : SlowMode{.probability = 0.25, .depth = 0.4};
  };
  const Configuration slow = with_value("n", 2);
  CHECK(truth_of(world, slow).mean == Approx(0.9 * world.level));
  CHECK(truth_of(world, {}).mean == world.level);
  WorldNoise noise(world, 3);
  int fallen = 0;
  for (int id = 0; id < 1000; ++id) {
    Trial trial{.id = id};
    noise.measure(trial, slow, "value");
    fallen += trial.measurements.at("value") < 0.7 * world.level ? 1 : 0;
  }
  CHECK(fallen == Approx(250).margin(50));
}

TEST_CASE("a recorded residual is what a trial may differ by") {
  World world{.residuals = {-0.1, 0.2}};
  WorldNoise noise(world, 3);
  int high = 0;
  for (int id = 0; id < 200; ++id) {
    Trial trial{.id = id};
    noise.measure(trial, {}, "value");
    const double logarithm = std::log(trial.measurements.at("value") / world.level);
    CHECK((logarithm == Approx(-0.1) || logarithm == Approx(0.2)));
    high += logarithm > 0 ? 1 : 0;
  }
  CHECK(high == Approx(100).margin(30));
}

TEST_CASE("a study on a machine is scored by what is true of the configuration that it hands over") {
  const TestMachine machine = test_machine("usl4").value();
  const auto score = simulate(machine, 3, 60, StrategyKind::random);
  CHECK(score.trials <= 60);
  CHECK(score.regret_percent >= 0);
  CHECK(score.regret_percent < 82);
  CHECK(score.claimed == (score.verdict == VerdictKind::winner));
  CHECK(score.regret_percent == Approx(100 * (1 - truth_of(machine.world, score.configuration).mean / machine.optimum)));
  const auto again = simulate(machine, 3, 60, StrategyKind::random);
  CHECK(again.configuration == score.configuration);
}

TEST_CASE("a machine whose name nobody knows is none") { CHECK_FALSE(test_machine("usl5")); }
