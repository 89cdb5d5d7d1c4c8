#include "strategies/search/screening.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "strategies/search/screening_plan.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Parameter number(const std::string& name) {
  Parameter parameter = range(name, 0, 100);
  parameter.default_value = Value(std::int64_t{50});
  return parameter;
}

Experiment numbers(int parameters, int trials) {
  std::vector<Parameter> all;
  for (int i = 0; i < parameters; ++i) all.push_back(number("p" + std::to_string(i)));
  Experiment experiment = experiment_of(all);
  experiment.search.strategy = StrategyKind::screening;
  experiment.budget.trials = trials;
  return experiment;
}

double at(const Configuration& configuration, const std::string& name) {
  const auto* whole = std::get_if<std::int64_t>(&configuration.values.at(name));
  return whole == nullptr ? 50 : static_cast<double>(*whole);
}

World two_matter() {
  World world{.noise = 0.02};
  world.effect = [](const Configuration& c) { return 0.004 * (at(c, "p1") - 50) - 0.002 * (at(c, "p4") - 50); };
  return world;
}

/// The study as it is when its plan has been run.
StudyView screened(const World& world, const Experiment& experiment) {
  Simulation simulation(world, fresh(experiment));
  const auto runs = screening_plan(simulation.study()).value().runs;
  std::set<std::string> wanted;
  for (const ScreeningRun& run : runs) wanted.insert(canonical_text(run.configuration));
  while (simulation.step()) {
    const StudyView& study = simulation.study();
    std::size_t done = 0;
    for (const StudyConfiguration& known : study.configurations) done += wanted.contains(canonical_text(known.configuration)) ? 1 : 0;
    if (done == wanted.size() && study.trials.back().state == TrialState::done) break;
  }
  return simulation.study();
}

}  // namespace

TEST_CASE("ordered parameters that depend on nothing get a folded Plackett-Burman plan") {
  const auto plan = screening_plan(fresh(numbers(9, 200)));
  REQUIRE(plan);
  CHECK(plan->design == ScreeningDesign::plackett_burman);
  CHECK(plan->runs.size() == 24);
}

TEST_CASE("categories, conditions and constraints call for Morris paths") {
  Experiment experiment = numbers(4, 200);
  experiment.parameters.push_back(levels("c", {1, 2, 3}));
  experiment.parameters.back().type = ParameterType::categorical;
  experiment.parameters.back().values = {Value(std::string("a")), Value(std::string("b")), Value(std::string("c"))};
  CHECK(screening_plan(fresh(experiment))->design == ScreeningDesign::morris);
  Experiment constrained = numbers(4, 200);
  constrained.require = {expression("p0 + p1 <= 150")};
  const auto plan = screening_plan(fresh(constrained));
  REQUIRE(plan);
  CHECK(plan->design == ScreeningDesign::morris);
  for (const ScreeningRun& run : plan->runs) CHECK(fresh(constrained).space.satisfies(run.configuration));
}

TEST_CASE("a search that is too short has no plan") { CHECK_FALSE(screening_plan(fresh(numbers(20, 60)))); }

TEST_CASE("the parameters that matter are found, with intervals that hold the truth") {
  const World world = two_matter();
  const StudyView study = screened(world, numbers(7, 200));
  const auto effects = screening_effects(study);
  REQUIRE(effects.size() == 7);
  CHECK(effects[0].parameter == "p1");
  CHECK(effects[1].parameter == "p4");
  CHECK(effects[0].matters);
  CHECK(effects[0].low < 0.24);  // 60 of 101 cells up: about 0.004 * 60
  CHECK(effects[0].high > 0.2);
  CHECK(effects[1].estimate < -0.08);
  int more = 0;
  for (std::size_t i = 2; i < 7; ++i) more += effects[i].matters ? 1 : 0;
  CHECK(more <= 3);
}

TEST_CASE("Morris paths find what matters too") {
  Experiment experiment = numbers(6, 300);
  experiment.require = {expression("p0 + p1 <= 190")};
  const auto effects = screening_effects(screened(two_matter(), experiment));
  REQUIRE(effects.size() == 6);
  CHECK(effects[0].parameter == "p1");
  CHECK(effects[1].parameter == "p4");
  CHECK(effects[0].low < effects[0].estimate);
  CHECK(effects[0].high > effects[0].estimate);
}

TEST_CASE("after the screening only what matters is changed") {
  Experiment experiment = numbers(7, 200);
  const auto simulated = simulate_study(two_matter(), experiment, 5);
  REQUIRE(simulated);
  std::set<std::string> matter;
  for (const ScreenedEffect& effect : screening_effects(simulated->study))
    if (effect.matters) matter.insert(effect.parameter);
  int reduced = 0;
  for (const StudyConfiguration& known : simulated->study.configurations) {
    if (known.origin != "reduced") continue;
    ++reduced;
    for (const auto& [name, value] : known.configuration.values)
      if (!matter.contains(name)) CHECK(std::holds_alternative<AsFound>(value));
  }
  CHECK(reduced > 10);
  const auto handed = std::ranges::find(simulated->study.configurations, simulated->verdict.configuration_id, &StudyConfiguration::id);
  CHECK(at(handed->configuration, "p1") > 80);
}

TEST_CASE("there are no effects before there are runs") { CHECK(screening_effects(fresh(numbers(7, 200))).empty()); }
