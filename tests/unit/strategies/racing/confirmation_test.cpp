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

/// Configurations 2 and 3 meet the baseline.
StudyView promoted_two() {
  StudyView study = fresh(experiment_of({levels("n", {1, 2})}));
  for (const std::int64_t n : {1, 2}) {
    const auto id = add_configuration(study, with_value("n", n));
    study.decisions.push_back({.kind = DecisionKind::promote, .configuration_id = id, .versus = kBaselineId, .n = 6, .alpha = 0.0125});
  }
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
  REQUIRE(confirmation->finalists.size() == 1);
  REQUIRE(confirmation->finalists[0].comparison);
  CHECK(confirmation->finalists[0].comparison->effect == Approx(0.1489).epsilon(0.001));
}

TEST_CASE("each of several finalists is tested at its share of the error") {
  StudyView study = promoted_two();
  for (int i = 0; i < 6; ++i) add_block(study, Purpose::confirm, {{1, 100}, {2, 110.0 + i % 2}, {3, 105}});
  const auto confirmation = confirmation_of(study);
  REQUIRE(confirmation);
  CHECK(confirmation->alpha == Approx(0.025));
  CHECK(confirmation->test_alpha() == Approx(0.0125));
  CHECK(confirmation->open() == 2);
  REQUIRE(confirmation->find(3) != nullptr);
  CHECK(confirmation->find(3)->comparison->alpha == Approx(0.0125));
  CHECK(confirmation->find(3)->comparison->effect == Approx(0.05));
  CHECK(confirmation->find(4) == nullptr);
}

TEST_CASE("a block counts where a finalist failed, and not where a measurement is missing") {
  StudyView study = promoted_two();
  add_block(study, Purpose::confirm, {{1, 100}, {2, 0, Outcome::failed}, {3, 105}});
  add_block(study, Purpose::confirm, {{1, 100}, {2, 110}, {3, 0, Outcome::invalid}});
  const auto confirmation = confirmation_of(study);
  CHECK(confirmation->complete.size() == 1);
  CHECK(confirmation->find(2)->failures == 1);
  CHECK_FALSE(confirmation->find(3)->comparison);  // one pair has no spread
}

TEST_CASE("who left is known from the decisions, with the reason") {
  StudyView study = promoted_two();
  add_block(study, Purpose::confirm, {{1, 100}, {2, 110}, {3, 105}});
  study.decisions.push_back({.kind = DecisionKind::eliminate, .configuration_id = 3, .versus = 2, .method = "kim-nelson"});
  CHECK(confirmation_of(study)->find(3)->state == FinalistState::eliminated);
  CHECK(confirmation_of(study)->find(3)->beaten_by == 2);
  study.decisions.back().method = "failed-trial";
  CHECK(confirmation_of(study)->find(3)->state == FinalistState::failing);
  CHECK(finalist_values(study.experiment, *confirmation_of(study)).at(0).at(1) == std::nullopt);
  study.decisions.back().kind = DecisionKind::unstable;
  CHECK(confirmation_of(study)->find(3)->state == FinalistState::unstable);
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

TEST_CASE("from twelve values on a low tail counts, where the baseline has none that is nearly so deep") {
  const std::vector<double> low{100, 101, 99, 100, 102, 98, 100, 101, 99, 87, 87, 100};
  std::vector<double> calm = kCalm;
  calm.insert(calm.end(), kCalm.begin(), kCalm.end());
  REQUIRE(find_instability(low, calm));
  CHECK(find_instability(low, calm)->rule == "low-tail");
  const std::vector<double> as_low{100, 106, 94, 100, 106, 92, 100, 106, 94, 93, 92, 106};
  CHECK_FALSE(find_instability(low, as_low));
}

TEST_CASE("fewer than six values say nothing about stability") { CHECK_FALSE(find_instability({80, 120, 60, 110, 85}, kCalm)); }

TEST_CASE("a restless baseline excuses nobody where the search knew steady configurations") {
  StudyView study = promoted();
  for (const auto& [baseline, finalist] :
       std::vector<std::pair<double, double>>{{100, 75}, {75, 100}, {100, 100}, {76, 76}, {100, 75}, {75, 101}})
    add_block(study, Purpose::confirm, {{1, baseline}, {2, 3 * finalist}});
  CHECK_FALSE(confirmation_of(study)->finalists[0].instability);
  study.decisions.front().inputs_json = R"({"steady_spread": 0.02})";
  const auto found = confirmation_of(study)->finalists[0].instability;
  REQUIRE(found);
  CHECK(found->rule == "spread-f-test");
  CHECK_FALSE(found->versus_id);
  CHECK(found->baseline_variation == 0.02);
  study.decisions.front().inputs_json = R"({"steady_spread": 0.15})";
  CHECK_FALSE(confirmation_of(study)->finalists[0].instability);
}

TEST_CASE("what the search knew of steadiness is not used where the baseline is steady itself") {
  StudyView study = promoted();
  study.decisions.front().inputs_json = R"({"steady_spread": 0.001})";
  for (int i = 0; i < 6; ++i) add_block(study, Purpose::confirm, {{1, 100.0 + i % 2}, {2, 100.0 + 4 * (i % 2)}});
  CHECK_FALSE(confirmation_of(study)->finalists[0].instability);
}
