#include "strategies/racing/simplification.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "strategies/course/pending.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/search/standing.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Experiment three_parameters() {
  Experiment experiment = experiment_of({levels("a", {1, 2}), levels("b", {1, 2}), levels("c", {1, 2})});
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = 400;
  return experiment;
}

/// Only `a` matters: 2 is 30 % better.
double only_a(const Configuration& configuration) {
  const auto found = configuration.values.find("a");
  return found != configuration.values.end() && found->second == Value(std::int64_t{2}) ? 0.3 : 0.0;
}

Configuration all_changed() {
  return {.values = {{"a", Value(std::int64_t{2})}, {"b", Value(std::int64_t{1})}, {"c", Value(std::int64_t{2})}}};
}

const Decision* find(const StudyView& study, std::string_view method) {
  const auto found = std::ranges::find(study.decisions, method, &Decision::method);
  return found == study.decisions.end() ? nullptr : &*found;
}

StudyView run_to_end(const World& world, StudyView study) {
  Simulation simulation(world, std::move(study));
  while (simulation.step()) {
  }
  return simulation.study();
}

/// The first study of a few seeds whose winner changes more than `a`, and a smaller change holds: with 5 % error not each does.
std::optional<StudyView> with_more_than_a(const World& world) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Experiment experiment = three_parameters();
    experiment.study.seed = seed;
    StudyView study = run_to_end(world, fresh(experiment));
    const Decision* result = find(study, "non-inferiority-t-log");
    if (result != nullptr && result->kind == DecisionKind::suggest) return study;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("leaving a parameter out gives the configuration with its value as it was found") {
  const SearchSpace space = space_of(three_parameters());
  CHECK(changed_parameters(space, all_changed()) == std::vector<std::string>{"a", "b", "c"});
  const auto simpler = without(space, all_changed(), {"b", "c"});
  REQUIRE(simpler);
  CHECK(changed_parameters(space, *simpler) == std::vector<std::string>{"a"});
  CHECK_FALSE(without(space, all_changed(), {"a", "b", "c"}));  // that is the baseline
}

TEST_CASE("what breaks a constraint is not left out") {
  Experiment experiment = three_parameters();
  experiment.require = {expression("a <= 1 or c <= 1")};
  const SearchSpace space = space_of(experiment);
  CHECK_FALSE(without(space, all_changed(), {"b"}));
  CHECK(without(space, all_changed(), {"c"}));
}

TEST_CASE("the model leaves out jointly what does nothing, and keeps what matters") {
  World world{.noise = 0.01};
  world.effect = only_a;
  Experiment experiment = three_parameters();
  Simulation simulation(world, fresh(experiment));
  while (simulation.step() && (simulation.study().trials.empty() || simulation.study().trials.back().purpose != Purpose::confirm)) {
  }
  const auto change = smaller_change(simulation.study(), all_changed(), {}, 0.05, nullptr);
  REQUIRE(change);
  std::vector<std::string> dropped = change->dropped;
  std::ranges::sort(dropped);
  CHECK(dropped == std::vector<std::string>{"b", "c"});
  CHECK(change->predicted_loss < 0.025);
  CHECK_FALSE(smaller_change(simulation.study(), all_changed(), dropped, 0.05, nullptr));
}

TEST_CASE("a smaller change that holds is the smallest of the verdict, and the winner stays the winner") {
  World world{.noise = 0.02};
  world.effect = only_a;
  const auto study = with_more_than_a(world);
  REQUIRE(study);
  const Decision* plan = find(*study, "simplification-plan");
  CHECK(plan->kind == DecisionKind::suggest);
  CHECK(*plan->n >= 6);
  CHECK(plan->alpha == kSimplificationAlpha);
  const Decision* result = find(*study, "non-inferiority-t-log");
  REQUIRE(result != nullptr);
  CHECK(result->versus == plan->configuration_id);
  const auto verdict = verdict_of(*study);
  CHECK(verdict->kind == VerdictKind::winner);
  CHECK(verdict->configuration_id == *plan->configuration_id);
  REQUIRE(result->kind == DecisionKind::suggest);
  CHECK(*result->low > -nlohmann::json::parse(result->inputs_json).at("delta").get<double>());
  CHECK(verdict->smallest_id != verdict->configuration_id);
  CHECK(only_a(study->configurations[static_cast<std::size_t>(verdict->smallest_id - 1)].configuration) == 0.3);
  CHECK_THAT(verdict->statement, Catch::Contains("A smaller change is as good within"));
  CHECK(trials_spent(study->trials) <= 400);
}

TEST_CASE("the first smaller change that is not shown to be as good ends the tests") {
  World world{.noise = 0.02};
  world.effect = only_a;
  auto study = with_more_than_a(world);
  REQUIRE(study);
  // From the plan on, with a machine on which every change matters.
  const auto plan = std::ranges::find(study->decisions, "simplification-plan", &Decision::method);
  study->decisions.erase(std::next(plan), study->decisions.end());
  std::erase_if(study->trials, [](const Trial& trial) { return trial.purpose == Purpose::simplify; });
  const auto winner = study->configurations[static_cast<std::size_t>(*study->decisions.back().configuration_id - 1)].configuration;
  world.effect = [winner](const Configuration& configuration) { return configuration == winner ? 0.3 : 0.1; };
  const StudyView ended = run_to_end(world, *study);
  const Decision* result = find(ended, "non-inferiority-t-log");
  REQUIRE(result != nullptr);
  CHECK(result->kind == DecisionKind::eliminate);
  CHECK(std::ranges::count(ended.decisions, "simplification-plan", &Decision::method) == 1);
  CHECK(verdict_of(ended)->kind == VerdictKind::winner);
  CHECK(verdict_of(ended)->smallest_id == verdict_of(ended)->configuration_id);
}
