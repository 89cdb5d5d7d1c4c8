#include "strategies/search/one_at_a_time.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView two_parameters() {
  Experiment experiment = experiment_of({levels("a", {1, 2}), levels("b", {1, 2, 3})});
  experiment.search.strategy = StrategyKind::one_at_a_time;
  experiment.search.repeats = 2;
  experiment.budget.trials = 200;
  StudyView study = fresh(experiment);
  add_block(study, Purpose::pilot, {{kBaselineId, 100}, {kBaselineId, 99}, {kBaselineId, 101}});
  return study;
}

Configuration both(Value a, Value b) { return {.values = {{"a", std::move(a)}, {"b", std::move(b)}}}; }

const Value k1{std::int64_t{1}}, k2{std::int64_t{2}}, k3{std::int64_t{3}}, kFound{AsFound{}};

std::vector<Configuration> asked(const StudyView& study) {
  std::vector<Configuration> configurations;
  const auto proposals = OneAtATime().ask(study, 9, 5);
  for (const Proposal& proposal : proposals) configurations.push_back(proposal.configuration);
  return configurations;
}

}  // namespace

TEST_CASE("one at a time goes on from the best value of the parameter before, and again until a round changes nothing") {
  StudyView study = two_parameters();
  CHECK(asked(study) == std::vector{both(k1, kFound), both(k2, kFound)});
  add_block(study, Purpose::search,
            {{kBaselineId, 100}, {add_configuration(study, both(k1, kFound)), 80}, {add_configuration(study, both(k2, kFound)), 120}});
  CHECK(asked(study) == std::vector{both(k2, k1), both(k2, k2), both(k2, k3)});
  add_block(study, Purpose::search,
            {{kBaselineId, 100},
             {add_configuration(study, both(k2, k1)), 110},
             {add_configuration(study, both(k2, k2)), 150},
             {add_configuration(study, both(k2, k3)), 121}});
  CHECK(asked(study) == std::vector{both(kFound, k2), both(k1, k2)});
  add_block(study, Purpose::search,
            {{kBaselineId, 100}, {add_configuration(study, both(kFound, k2)), 125}, {add_configuration(study, both(k1, k2)), 100}});
  // The second round has changed nothing: the best three are measured again until they have two trials.
  CHECK(asked(study).front() == both(k2, k2));
  CHECK(asked(study).size() == 3);
  for (int i = 0; i < 2; ++i) add_block(study, Purpose::search, {{kBaselineId, 100}, {5, 150}, {7, 125}, {6, 121}, {3, 120}});
  CHECK(asked(study).empty());
}

TEST_CASE("a value that failed is not kept") {
  StudyView study = two_parameters();
  add_block(study, Purpose::search,
            {{kBaselineId, 100},
             {add_configuration(study, both(k1, kFound)), 0, Outcome::failed},
             {add_configuration(study, both(k2, kFound)), 90}});
  CHECK(asked(study).front() == both(kFound, k1));
}
