#include "strategies/search/local_search.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView numbers(std::vector<Parameter> parameters) {
  Experiment experiment = experiment_of(std::move(parameters));
  experiment.search.strategy = StrategyKind::local;
  experiment.search.repeats = 2;
  experiment.budget.trials = 400;
  StudyView study = fresh(experiment);
  add_block(study, Purpose::pilot, {{kBaselineId, 100}, {kBaselineId, 99}, {kBaselineId, 101}});
  return study;
}

Parameter found(Parameter parameter, std::int64_t value) {
  parameter.default_value = Value(value);
  return parameter;
}

Configuration with(StudyView& study, const std::string& name, std::int64_t value) {
  Configuration configuration = study.space.baseline();
  configuration.values[name] = Value(value);
  return configuration;
}

}  // namespace

TEST_CASE("local begins with neighbours of the baseline") {
  const StudyView study = numbers({found(range("a", 1, 100), 50), found(range("b", 1, 100), 50)});
  const auto proposals = LocalSearch().ask(study, 3, 5);
  REQUIRE(proposals.size() == 5);
  for (const Proposal& proposal : proposals) {
    int changed = 0;
    for (const auto& [name, value] : proposal.configuration.values) changed += std::holds_alternative<AsFound>(value) ? 0 : 1;
    CHECK(changed == 1);
  }
}

TEST_CASE("what two changed is tried together, before the neighbours of the best") {
  StudyView study = numbers({found(range("a", 1, 100), 50), found(range("b", 1, 100), 50)});
  add_block(study, Purpose::search,
            {{kBaselineId, 100},
             {add_configuration(study, with(study, "a", 80)), 120},
             {add_configuration(study, with(study, "b", 20)), 110},
             {add_configuration(study, with(study, "a", 10)), 70}});
  const auto proposals = LocalSearch().ask(study, 4, 5);
  REQUIRE(proposals.size() == 5);
  CHECK(proposals[0].configuration.values.at("a") == Value(std::int64_t{80}));
  CHECK(proposals[0].configuration.values.at("b") == Value(std::int64_t{20}));
  for (std::size_t i = 1; i < 5; ++i) {
    const auto& values = proposals[i].configuration.values;
    CHECK((values.at("a") == Value(std::int64_t{80})) != std::holds_alternative<AsFound>(values.at("b")));
  }
}

TEST_CASE("where nothing better was found for long the search goes on elsewhere") {
  StudyView study = numbers({found(range("a", 1, 10'000), 50)});
  for (int i = 0; i < 6; ++i)
    add_block(study, Purpose::search, {{kBaselineId, 100}, {add_configuration(study, with(study, "a", 1000 + i)), 80}});
  const auto proposals = LocalSearch().ask(study, 9, 5);
  REQUIRE_FALSE(proposals.empty());
  CHECK(proposals.back().origin == "restart");
  study.configurations.push_back({8, proposals.back().configuration, "restart"});
  add_block(study, Purpose::search, {{kBaselineId, 100}, {8, 60}});
  // From there it climbs, though it is worse than the baseline.
  const auto next = LocalSearch().ask(study, 10, 5);
  REQUIRE(next.size() == 5);
  for (const Proposal& proposal : next) CHECK(proposal.origin == "local");
}

TEST_CASE("a space that is known altogether has its best measured until they have their repeats") {
  StudyView study = numbers({levels("a", {1, 2})});
  add_block(study, Purpose::search,
            {{kBaselineId, 100}, {add_configuration(study, with_value("a", 1)), 90}, {add_configuration(study, with_value("a", 2)), 110}});
  CHECK(LocalSearch().ask(study, 3, 5).size() == 2);
  add_block(study, Purpose::search, {{kBaselineId, 100}, {2, 90}, {3, 110}});
  CHECK(LocalSearch().ask(study, 4, 5).empty());
}
