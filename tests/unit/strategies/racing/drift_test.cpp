#include "strategies/racing/drift.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// A pilot of six trials and blocks of the baseline and one other, at these levels.
StudyView searched(const std::vector<double>& levels_of_blocks) {
  StudyView study = fresh(experiment_of({levels("n", {1, 2, 3})}));
  const std::int64_t other = add_configuration(study, with_value("n", 2));
  add_block(study, Purpose::pilot, {{kBaselineId, 1000}, {kBaselineId, 1020}, {kBaselineId, 990}});
  add_block(study, Purpose::pilot, {{kBaselineId, 1010}, {kBaselineId, 985}, {kBaselineId, 1005}});
  double sign = 1;
  for (const double level : levels_of_blocks) {
    add_block(study, Purpose::search, {{other, level * 1.3}, {kBaselineId, level * (1 + 0.01 * sign)}});
    sign = -sign;
  }
  return study;
}

std::vector<double> steady_then(double level, std::size_t blocks) {
  std::vector<double> all(8, 1000);
  all.insert(all.end(), blocks, level);
  return all;
}

}  // namespace

TEST_CASE("a machine that changes in the middle of the night gets one drift decision that says where") {
  const StudyView study = searched(steady_then(800, 6));
  const auto decisions = drift_decisions(study);
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].kind == DecisionKind::drift);
  CHECK(decisions[0].configuration_id == kBaselineId);
  CHECK(decisions[0].method == "e-divisive-t");
  CHECK(decisions[0].n == 20);
  CHECK(*decisions[0].effect == Approx(-0.2).margin(0.005));
  CHECK(*decisions[0].p < 0.001);
  const auto inputs = nlohmann::json::parse(decisions[0].inputs_json);
  CHECK(inputs.at("first_block_after") == 11);
  CHECK(inputs.at("last_trial_before") == 22);
  CHECK(inputs.at("first_trial_after") == 24);
  CHECK(inputs.at("trials").size() == 20);
}

TEST_CASE("a steady machine gets none") {
  CHECK(drift_decisions(searched(std::vector<double>(12, 1000))).empty());
  CHECK(drift_decisions(fresh(experiment_of({levels("n", {1, 2})}))).empty());
}

TEST_CASE("a step is recorded once, also where later trials move its place") {
  StudyView study = searched(steady_then(800, 6));
  for (const Decision& decision : drift_decisions(study)) study.decisions.push_back(decision);
  CHECK(drift_decisions(study).empty());
  for (int block = 0; block < 6; ++block) add_block(study, Purpose::confirm, {{2, 1040}, {kBaselineId, block % 2 == 0 ? 806.0 : 794.0}});
  CHECK(drift_decisions(study).empty());
  for (int block = 0; block < 8; ++block) add_block(study, Purpose::confirm, {{2, 1560}, {kBaselineId, block % 2 == 0 ? 1206.0 : 1194.0}});
  CHECK(drift_decisions(study).size() == 1);
}

TEST_CASE("trials that were not measured or came from another study are not in the baseline's series") {
  StudyView study = searched({1000});
  add_block(study, Purpose::search, {{kBaselineId, 0, Outcome::invalid}});
  add_block(study, Purpose::search, {{kBaselineId, 500}});
  study.trials.back().imported_from = "other.db";
  CHECK(baseline_series(study).trials.size() == 7);
}

TEST_CASE("the trend of the baseline is told for each trial of the study") {
  std::vector<double> falling;
  for (int i = 0; i < 20; ++i) falling.push_back(1000 * std::exp(-0.01 * i));
  const BaselineDrift drift = baseline_drift(searched(falling));
  CHECK(drift.n == 26);
  REQUIRE(drift.trend);
  CHECK(drift.trend->slope == Approx(-0.005).margin(0.001));
  CHECK(drift.trend->high < 0);
  CHECK(drift.steps.empty());
}
