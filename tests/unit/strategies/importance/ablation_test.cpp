#include "strategies/importance/ablation.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/importance/fake_model.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Configuration configuration_of(const SearchSpace& space, const std::map<std::string, std::int64_t>& numbers) {
  Configuration configuration;
  for (const Domain& domain : space.domains()) {
    const auto number = numbers.find(domain.name);
    configuration.values[domain.name] = number == numbers.end() ? Value(AsFound{}) : Value(number->second);
  }
  return space.canonical(configuration).value();
}

std::vector<std::string> names_of(const AblationStep& step) {
  std::vector<std::string> names;
  for (const ValueChange& change : step.changes) names.push_back(change.parameter);
  return names;
}

}  // namespace

TEST_CASE("the way takes the change that gains most first, and its steps add up to the whole difference") {
  const auto space = space_of(experiment_of({levels("a", {1, 2}), levels("b", {1, 2}), levels("c", {1, 2})}));
  const FakeModel model(
      [](const Configuration& at) {
        return 0.05 * (number_of(at, "a", 1) - 1) + 0.2 * (number_of(at, "b", 1) - 1) - 0.01 * (number_of(at, "c", 1) - 1);
      },
      0.02);
  const auto steps = ablation_path(space, model, space.baseline(), configuration_of(space, {{"a", 2}, {"b", 2}, {"c", 2}}));
  REQUIRE(steps.size() == 3);
  CHECK(names_of(steps[0]) == std::vector<std::string>{"b"});
  CHECK(names_of(steps[1]) == std::vector<std::string>{"a"});
  CHECK(names_of(steps[2]) == std::vector<std::string>{"c"});
  CHECK(steps[0].gain.mean == Approx(0.2));
  CHECK(steps[0].gain.standard_deviation == Approx(0.02));
  CHECK(steps[1].gain.standard_deviation == Approx(0.02 * std::sqrt(2)));
  CHECK(steps[2].gain.mean == Approx(-0.01));
  CHECK(steps[2].so_far.mean == Approx(0.24));
  CHECK(std::get<AsFound>(*steps[0].changes[0].from) == AsFound{});
  CHECK(std::get<std::int64_t>(*steps[0].changes[0].to) == 2);
}

TEST_CASE("what gains only together is found by the order of the way: the second step carries the interaction") {
  const auto space = space_of(experiment_of({levels("a", {1, 2}), levels("b", {1, 2})}));
  const FakeModel model([](const Configuration& at) { return number_of(at, "a", 1) == 2 && number_of(at, "b", 1) == 2 ? 0.3 : 0.0; }, 0.01);
  const auto steps = ablation_path(space, model, space.baseline(), configuration_of(space, {{"a", 2}, {"b", 2}}));
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].gain.mean == Approx(0));
  CHECK(steps[1].gain.mean == Approx(0.3));
}

TEST_CASE("a conditional parameter comes with its parent, and goes with it") {
  Parameter child = levels("child", {1, 2});
  child.when = expression("parent == 2");
  const auto space = space_of(experiment_of({levels("parent", {1, 2}), child, levels("other", {1, 2})}));
  const FakeModel model(
      [](const Configuration& at) { return 0.1 * (number_of(at, "child", 0) == 2) + 0.02 * (number_of(at, "other", 1) - 1); }, 0.01);
  const auto end = configuration_of(space, {{"parent", 2}, {"child", 2}, {"other", 2}});
  const auto there = ablation_path(space, model, space.baseline(), end);
  REQUIRE(there.size() == 2);
  CHECK(names_of(there[0]) == std::vector<std::string>{"parent", "child"});
  CHECK_FALSE(there[0].changes[1].from);
  CHECK(there[0].gain.mean == Approx(0.1));
  const auto back = ablation_path(space, model, end, space.baseline());
  REQUIRE(back.size() == 2);
  CHECK(back.back().after == space.baseline());
  CHECK(names_of(back.back()) == std::vector<std::string>{"parent", "child"});
  CHECK_FALSE(back.back().changes[1].to);
}

TEST_CASE("what a constraint ties together goes together") {
  Experiment experiment = experiment_of({levels("a", {1, 2}), levels("b", {1, 2}), levels("c", {1, 2})});
  experiment.require = {expression("a == b"), expression("b == c")};
  const auto space = space_of(experiment);
  const FakeModel model([](const Configuration& at) { return 0.1 * (number_of(at, "a", 1) - 1); }, 0.01);
  // As found is no number here, so a term about it holds until both are changed.
  const auto steps = ablation_path(space, model, configuration_of(space, {{"a", 1}, {"b", 1}, {"c", 1}}),
                                   configuration_of(space, {{"a", 2}, {"b", 2}, {"c", 2}}));
  REQUIRE(steps.size() == 1);
  CHECK(names_of(steps[0]) == std::vector<std::string>{"a", "b", "c"});
  experiment.require = {expression("a == b")};
  const auto pair = space_of(experiment);
  const auto two = ablation_path(pair, model, configuration_of(pair, {{"a", 1}, {"b", 1}, {"c", 1}}),
                                 configuration_of(pair, {{"a", 2}, {"b", 2}, {"c", 2}}));
  REQUIRE(two.size() == 2);
  CHECK(names_of(two[0]) == std::vector<std::string>{"c"});
  CHECK(names_of(two[1]) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("from a configuration to itself there is no way") {
  const auto space = space_of(experiment_of({levels("a", {1, 2})}));
  const FakeModel model([](const Configuration&) { return 0.0; }, 0.01);
  CHECK(ablation_path(space, model, space.baseline(), space.baseline()).empty());
}
