#include "strategies/search/random_search.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "strategies/search/strategy.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView searched(std::vector<Parameter> parameters, int trials = 40) {
  Experiment experiment = experiment_of(std::move(parameters));
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = trials;
  return fresh(experiment);
}

}  // namespace

TEST_CASE("start configurations come first, completed with what was found, and only once") {
  StudyView study = searched({levels("a", {1, 2, 3}), range("b", 1, 1000)});
  study.experiment.search.start = {with_value("b", 500), with_value("b", 500), with_value("unknown", 1)};
  const auto proposals = RandomSearch().ask(study, 1, 3);
  REQUIRE(proposals.size() == 3);
  CHECK(proposals[0].origin == "start");
  CHECK(proposals[0].configuration.values.at("b") == Value(std::int64_t{500}));
  CHECK(std::holds_alternative<AsFound>(proposals[0].configuration.values.at("a")));
  CHECK(proposals[1].origin == "random");
  CHECK(proposals[2].origin == "random");
}

TEST_CASE("proposals are new, different from each other and never the baseline") {
  StudyView study = searched({levels("a", {1, 2, 3}), levels("b", {1, 2, 3})});
  std::set<std::string> seen{canonical_text(study.space.baseline())};
  for (int block = 1; block <= 3; ++block) {
    std::vector<Seen> trials{{kBaselineId, 100}};
    for (const Proposal& proposal : RandomSearch().ask(study, block, 3)) {
      CHECK(seen.insert(canonical_text(proposal.configuration)).second);
      trials.push_back({add_configuration(study, proposal.configuration), 100});
    }
    add_block(study, Purpose::search, trials);
  }
  CHECK(seen.size() == 10);
}

TEST_CASE("the same record and seed give the same proposals, another seed gives others") {
  StudyView study = searched({range("a", 1, 100000)});
  const auto first = RandomSearch().ask(study, 4, 3), again = RandomSearch().ask(study, 4, 3), later = RandomSearch().ask(study, 5, 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(first[i].configuration == again[i].configuration);
  CHECK_FALSE(first[0].configuration == later[0].configuration);
  study.experiment.study.seed = 99;
  CHECK_FALSE(first[0].configuration == RandomSearch().ask(study, 4, 3)[0].configuration);
}

TEST_CASE("late in the search the leaders are measured again") {
  StudyView study = searched({range("a", 1, 100000)});
  for (int i = 0; i < 4; ++i) add_block(study, Purpose::pilot, {{kBaselineId, 100.0 + i}, {kBaselineId, 99}});
  for (int block = 0; block < 3; ++block) {
    std::vector<Seen> trials{{kBaselineId, 100}};
    for (int i = 0; i < 3; ++i) trials.push_back({add_configuration(study, with_value("a", 10 * block + i + 2)), 100.0 + 5 * block + i});
    add_block(study, Purpose::search, trials);
  }
  const auto proposals = RandomSearch().ask(study, 8, 3);  // 12 of 20 search trials are done: 60 %
  REQUIRE(proposals.size() == 3);
  CHECK(proposals[0].configuration == with_value("a", 24));
  CHECK(proposals[1].configuration == with_value("a", 23));
  CHECK(proposals[2].configuration == with_value("a", 22));
}

TEST_CASE("where the clock may end the search two blocks of five are the leaders'") {
  StudyView study = searched({range("a", 1, 100000)}, 4000);
  study.experiment.budget.until = "06:30";
  add_block(study, Purpose::pilot, {{kBaselineId, 100}, {kBaselineId, 99}, {kBaselineId, 101}});
  int again = 0;
  for (int block = 0; block < 10; ++block) {
    std::vector<Seen> trials{{kBaselineId, 100}};
    for (const Proposal& proposal : RandomSearch().ask(study, block + 2, 3)) {
      const auto known = std::ranges::find(study.configurations, proposal.configuration, &StudyConfiguration::configuration);
      const bool is_known = known != study.configurations.end();
      again += is_known ? 1 : 0;
      trials.push_back({is_known ? known->id : add_configuration(study, proposal.configuration), 100});
    }
    add_block(study, Purpose::search, trials);
  }
  CHECK(again == 12);
}

TEST_CASE("an exhausted space is searched again among its leaders") {
  StudyView study = searched({levels("a", {1, 2})}, 100);
  add_block(study, Purpose::pilot, {{kBaselineId, 100}, {kBaselineId, 99}, {kBaselineId, 101}});
  add_block(study, Purpose::search,
            {{kBaselineId, 100}, {add_configuration(study, with_value("a", 1)), 100}, {add_configuration(study, with_value("a", 2)), 120}});
  const auto proposals = RandomSearch().ask(study, 3, 3);
  REQUIRE(proposals.size() == 2);
  CHECK(proposals[0].configuration == with_value("a", 2));
}

TEST_CASE("a space that holds the baseline alone has nothing to propose") {
  StudyView study = searched({levels("a", {1})});
  study.experiment.require = {expression("a > 5")};
  study.space = space_of(study.experiment);
  CHECK(RandomSearch().ask(study, 1, 3).empty());
}
