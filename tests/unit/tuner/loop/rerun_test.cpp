#include "tuner/loop/rerun.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;
using namespace netsettle::tuner;

namespace {

/// Configuration 2 is about 10 % above the baseline, in three search blocks.
StudyView measured_study() {
  StudyView study = fresh(experiment_of({levels("processes", {1, 2})}));
  const std::int64_t second = add_configuration(study, with_value("processes", 2));
  add_block(study, Purpose::search, {{kBaselineId, 1000}, {second, 1100}});
  add_block(study, Purpose::search, {{kBaselineId, 1010}, {second, 1115}});
  add_block(study, Purpose::search, {{kBaselineId, 990}, {second, 1085}});
  return study;
}

std::vector<Trial> measured_now(const std::vector<std::pair<double, double>>& blocks) {
  std::vector<Trial> trials;
  for (const auto& [baseline, second] : blocks)
    for (const std::int64_t id : {1, 2})
      trials.push_back({.configuration_id = id,
                        .purpose = Purpose::manual,
                        .block = -static_cast<int>(trials.size() / 2) - 1,
                        .position = static_cast<int>(id),
                        .state = TrialState::done,
                        .outcome = Outcome::measured,
                        .measurements = {{"qps", id == 1 ? baseline : second}}});
  return trials;
}

}  // namespace

TEST_CASE("one trial again is one trial, with the source ports that it had") {
  const StudyView study = measured_study();
  const auto trials = plan_rerun(study, {.configuration_id = 2, .trial_id = 4, .repeats = 1}).value();
  REQUIRE(trials.size() == 1);
  CHECK(trials[0].block == -1);
  CHECK(trials[0].ports_block == study.trials[3].block);
}

TEST_CASE("several trials come in blocks with the baseline, in random order, below all blocks of the record") {
  StudyView study = measured_study();
  study.trials.push_back({.id = 7, .configuration_id = 2, .purpose = Purpose::manual, .block = -3});
  const auto trials = plan_rerun(study, {.configuration_id = 2, .repeats = 8}).value();
  REQUIRE(trials.size() == 16);
  std::set<std::int64_t> first;
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 0; i < trials.size(); i += 2) {
    CHECK(trials[i].block == -4 - static_cast<int>(i / 2));
    CHECK(trials[i + 1].block == trials[i].block);
    CHECK(trials[i].configuration_id + trials[i + 1].configuration_id == 3);
    CHECK(trials[i].ports_block == trials[i].block);
    first.insert(trials[i].configuration_id);
    seeds.insert({trials[i].seed, trials[i + 1].seed});
  }
  CHECK(first.size() == 2);
  CHECK(seeds.size() == 16);
}

TEST_CASE("the baseline is not interleaved with itself, and an unknown configuration is refused") {
  const StudyView study = measured_study();
  CHECK(plan_rerun(study, {.configuration_id = 1, .repeats = 3}).value().size() == 3);
  CHECK(plan_rerun(study, {.configuration_id = 9}).error().code == ErrorCode::not_found);
}

TEST_CASE("the gain decides whether then and now agree: a slower day is no difference") {
  const auto same = compare_rerun(measured_study(), 2, measured_now({{500, 551}, {505, 554}, {495, 546}}));
  CHECK(same.before->n == 3);
  CHECK(same.now->mean == Approx(550.3333));
  CHECK(same.change->high < 0);
  CHECK(same.gain_change->low < 0);
  CHECK(same.gain_change->high > 0);
  CHECK(same.agrees == true);
  const auto gone = compare_rerun(measured_study(), 2, measured_now({{1000, 1001}, {1005, 1004}, {995, 996}}));
  CHECK(gone.gain_change->high < 0);
  CHECK(gone.agrees == false);
}

TEST_CASE("one trial of now is compared with the spread of then, and with too little nothing is said") {
  auto one = measured_now({{1000, 1101}});
  one.erase(one.begin());
  const auto close = compare_rerun(measured_study(), 2, one);
  CHECK(close.agrees == true);
  CHECK_FALSE(close.gain_change);
  one[0].measurements["qps"] = 900;
  CHECK(compare_rerun(measured_study(), 2, one).agrees == false);
  one[0].outcome = Outcome::invalid;
  const auto none = compare_rerun(measured_study(), 2, one);
  CHECK_FALSE(none.now);
  CHECK_FALSE(none.agrees);
}

TEST_CASE("what a confirmed configuration gained is what the confirmation showed") {
  StudyView study = measured_study();
  add_block(study, Purpose::confirm, {{kBaselineId, 1000}, {2, 1050}});
  add_block(study, Purpose::confirm, {{kBaselineId, 1000}, {2, 1050}});
  const auto compared = compare_rerun(study, 2, measured_now({{1000, 1050}, {1000, 1052}}));
  CHECK(compared.gain_before->estimate == Approx(0.05));
}

TEST_CASE("trials that a person asked for change nothing of the study's course") {
  const World world{.noise = 0.03, .effect = [](const Configuration&) { return 0.0; }};
  Experiment experiment = experiment_of({levels("processes", {1, 2, 3, 4})});
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = 46;
  experiment.study.seed = 9;
  Simulation whole(world, fresh(experiment));
  while (whole.step()) {
  }
  for (const int cut : {1, 9, 20, 33, 50}) {
    Simulation first(world, fresh(experiment));
    for (int step = 0; step < cut; ++step) first.step();
    StudyView study = first.study();
    for (int i = 1; i <= 3; ++i)
      study.trials.push_back({.id = study.trials.empty() ? i : study.trials.back().id + 1,
                              .configuration_id = std::min<std::int64_t>(2, std::ssize(study.configurations)),
                              .purpose = Purpose::manual,
                              .block = -i,
                              .state = i == 2 ? TrialState::interrupted : TrialState::failed,
                              .outcome = i == 2 ? std::nullopt : std::optional(Outcome::failed)});
    Simulation second(world, study);
    while (second.step()) {
    }
    INFO("after " << cut << " steps");
    REQUIRE(second.study().trials.size() == whole.study().trials.size());
    REQUIRE(second.study().decisions.size() == whole.study().decisions.size());
    for (std::size_t i = 0; i < whole.study().trials.size(); ++i) {
      CHECK(second.study().trials[i].configuration_id == whole.study().trials[i].configuration_id);
      CHECK(second.study().trials[i].seed == whole.study().trials[i].seed);
      CHECK(second.study().trials[i].measurements == whole.study().trials[i].measurements);
    }
    for (std::size_t i = 0; i < whole.study().decisions.size(); ++i) {
      CHECK(second.study().decisions[i].kind == whole.study().decisions[i].kind);
      CHECK(second.study().decisions[i].effect == whole.study().decisions[i].effect);
    }
  }
}
