#include "strategies/racing/confirmation.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

const std::vector<double> kCalm{100, 101, 99, 100, 102, 98};

StudyView promoted() {
  StudyView study = fresh(experiment_of({levels("n", {1, 2})}));
  const auto leader = add_configuration(study, with_value("n", 2));
  study.decisions.push_back({.kind = DecisionKind::promote, .configuration_id = leader, .versus = kBaselineId, .n = 6});
  return study;
}

}  // namespace

TEST_CASE("before a leader is promoted there is no confirmation") {
  CHECK_FALSE(confirmation_of(fresh(experiment_of({levels("n", {1})}))));
}

TEST_CASE("blocks that lack an arm are not counted, and search blocks never") {
  StudyView study = promoted();
  add_block(study, Purpose::search, {{1, 100}, {2, 500}});
  add_block(study, Purpose::confirm, {{1, 100}, {2, 110}});
  add_block(study, Purpose::confirm, {{2, 110}, {1, 0, Outcome::invalid}});
  add_block(study, Purpose::confirm, {{2, 120}, {1, 100}});
  const auto confirmation = confirmation_of(study);
  REQUIRE(confirmation);
  CHECK(confirmation->tried == 3);
  CHECK(confirmation->complete.size() == 2);
  REQUIRE(confirmation->comparison);
  CHECK(confirmation->comparison->effect == Approx(0.1489).epsilon(0.001));
}

TEST_CASE("a leader that varies far more than the machine is unstable") {
  CHECK(find_instability({80, 120, 95, 110, 85, 118}, kCalm)->rule == "spread-f-test");
  CHECK(find_instability({100, 101, 60, 100, 102, 99}, kCalm)->rule == "worst-trial");
}

TEST_CASE("a leader as restless as the machine itself is not blamed") {
  const std::vector<double> restless{80, 120, 95, 110, 85, 118};
  CHECK_FALSE(find_instability(restless, restless));
  CHECK_FALSE(find_instability({100, 101, 60, 100, 102, 99}, {100, 101, 60, 100, 102, 99}));
}

TEST_CASE("on a very quiet machine a small spread is harmless however often it is larger") {
  CHECK_FALSE(find_instability({100, 103, 97, 101, 99, 102}, {100, 100.1, 99.9, 100, 100.1, 99.9}));
}

TEST_CASE("fewer than six values say nothing about stability") { CHECK_FALSE(find_instability({80, 120, 60, 110, 85}, kCalm)); }
