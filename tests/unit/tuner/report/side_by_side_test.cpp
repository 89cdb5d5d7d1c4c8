#include "tuner/report/side_by_side_text.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;

namespace {

constexpr double kAlpha = 0.025;

/// Blocks of the baseline, configuration 2 and configuration 3, as a person has had them run.
std::vector<Trial> own_trials(const std::vector<std::array<double, 3>>& blocks) {
  std::vector<Trial> trials;
  int block = 0;
  for (const auto& values : blocks) {
    --block;
    for (int i = 0; i < 3; ++i)
      trials.push_back({.configuration_id = i + 1,
                        .purpose = Purpose::manual,
                        .block = block,
                        .position = i,
                        .state = TrialState::done,
                        .outcome = Outcome::measured,
                        .measurements = {{"qps", values[static_cast<std::size_t>(i)]}}});
  }
  return trials;
}

StudyView study_of_three() {
  StudyView study = fresh(experiment_of({levels("processes", {1, 2, 3})}));
  add_configuration(study, with_value("processes", 2));
  add_configuration(study, with_value("processes", 3));
  return study;
}

const std::vector<std::array<double, 3>> kBlocks = {{1000, 1100, 1003}, {1010, 1120, 1004}, {990, 1085, 995},
                                                    {1005, 1101, 1001}, {1002, 1110, 1007}, {996, 1093, 990}};

}  // namespace

TEST_CASE("each pair is compared within blocks, the baseline on the right wherever it is named") {
  const auto trials = own_trials(kBlocks);
  const auto compared = side_by_side(study_of_three(), trials, std::vector<std::int64_t>{1, 2, 3}, Pairs::all, kAlpha);
  REQUIRE(compared.pairs.size() == 3);
  CHECK(compared.pairs[0].id == 2);
  CHECK(compared.pairs[0].versus == kBaselineId);
  CHECK(compared.pairs[2].id == 2);
  CHECK(compared.pairs[2].versus == 3);
  CHECK(compared.pairs[0].blocks == 6);
  // R 4.2.2: d <- log(c(1100,1120,1085,1101,1110,1093)/c(1000,1010,990,1005,1002,996)); expm1(t.test(d)$conf.int), expm1(mean(d))
  CHECK(compared.pairs[0].comparison->effect == Approx(0.10091436));
  CHECK(compared.pairs[0].comparison->low == Approx(0.09467819));
  CHECK(compared.pairs[0].comparison->high == Approx(0.10718605));
  CHECK_THAT(pairs_conclusion(compared), Contains("onfiguration 2 is better than the baseline") &&
                                             Contains("configuration 2 is better than configuration 3") && Contains("over all 3 pairs") &&
                                             !Contains("configuration 3 is better"));
}

TEST_CASE("of three or more those are named that may be the best") {
  const StudyView study = study_of_three();
  const std::vector<std::int64_t> ids{1, 2, 3};
  const auto clear = side_by_side(study, own_trials(kBlocks), ids, Pairs::all, kAlpha);
  CHECK(clear.may_be_best == std::vector<std::int64_t>{2});
  CHECK_THAT(side_by_side_text(study, clear, 120), Contains("May be the best of them: configuration 2 (95 %"));
  auto slower = kBlocks;
  for (auto& block : slower) block[1] -= 300;
  auto trials = own_trials(slower);
  const auto close = side_by_side(study, trials, ids, Pairs::all, kAlpha);
  CHECK(close.may_be_best == std::vector<std::int64_t>{1, 3});
  CHECK(side_by_side_json(study, close).at("may_be_best") == nlohmann::json({1, 3}));
  trials.push_back(
      {.configuration_id = 3, .purpose = Purpose::manual, .block = -9, .state = TrialState::failed, .outcome = Outcome::failed});
  const std::string text = side_by_side_text(study, side_by_side(study, trials, ids, Pairs::all, kAlpha), 120);
  CHECK_THAT(text, Contains("May be the best of them: the baseline (95 %"));
  CHECK_FALSE(side_by_side(study, trials, ids, Pairs::with_baseline, kAlpha).may_be_best);
  CHECK_FALSE(side_by_side(study, trials, std::vector<std::int64_t>{1, 2}, Pairs::all, kAlpha).may_be_best);
}

TEST_CASE("of latencies the lowest may be the best") {
  StudyView study = study_of_three();
  study.experiment.objective.maximize = "latency_avg_us";
  auto trials = own_trials(kBlocks);
  for (Trial& trial : trials)
    trial.measurements["latency_avg_us"] = trial.configuration_id == 2 ? 500 + trial.block : trial.measurements["qps"];
  const auto compared = side_by_side(study, trials, std::vector<std::int64_t>{1, 2, 3}, Pairs::all, kAlpha);
  CHECK(compared.may_be_best == std::vector<std::int64_t>{2});
}

TEST_CASE("how steady each is: variation, worst over mean, what failed and was invalid") {
  auto trials = own_trials(kBlocks);
  trials[1].outcome = Outcome::failed;
  trials[1].measurements.clear();
  trials[4].suspect = true;
  const auto compared = side_by_side(study_of_three(), trials, std::vector<std::int64_t>{1, 2, 3}, Pairs::with_baseline, kAlpha);
  REQUIRE(compared.configurations.size() == 3);
  const Steadiness& second = compared.configurations[1];
  CHECK(second.n == 5);
  CHECK(second.failed == 1);
  CHECK(second.suspect == 1);
  CHECK(*second.worst_share == Approx(1085 / ((1120 + 1085 + 1101 + 1110 + 1093) / 5.0)));
  CHECK(*compared.configurations[0].coefficient_of_variation == Approx(0.006975051));
  CHECK(compared.pairs.size() == 2);
  CHECK(compared.pairs[0].blocks == 5);
  CHECK_THAT(baseline_conclusion(compared), Contains("None is shown") && Contains("Configuration 2 failed in 1 trial"));
  CHECK_THAT(side_by_side_text(study_of_three(), compared, 120),
             Contains("failed") && Contains("suspect") && !Contains("invalid") && Contains("configuration 3 against the baseline"));
}

TEST_CASE("of a place that was run again the last attempt counts") {
  auto trials = own_trials(kBlocks);
  Trial again = trials[1];
  trials[1].outcome = Outcome::invalid;
  trials[1].measurements.clear();
  again.attempt = 2;
  trials.insert(trials.begin() + 2, again);
  const auto compared = side_by_side(study_of_three(), trials, std::vector<std::int64_t>{1, 2}, Pairs::all, kAlpha);
  CHECK(compared.pairs[0].blocks == 6);
  CHECK(compared.configurations[1].invalid == 0);
}

TEST_CASE("tests against the baseline share their level") {
  const auto trials = own_trials(kBlocks);
  const auto compared = side_by_side(study_of_three(), trials, std::vector<std::int64_t>{1, 2, 3}, Pairs::with_baseline, kAlpha / 2);
  CHECK_THAT(baseline_conclusion(compared),
             Contains("Configuration 2 is better than the baseline (at least +9.3 %)") && Contains("2.5 % / 2"));
  CHECK_THAT(side_by_side_text(study_of_three(), compared, 120), Contains("97.5 % interval"));
}

TEST_CASE("of a latency less is better, and the worst is the largest") {
  StudyView study = study_of_three();
  study.experiment.objective.maximize = "latency_avg_us";
  auto trials = own_trials(kBlocks);
  for (Trial& trial : trials) trial.measurements = {{"latency_avg_us", trial.measurements["qps"]}};
  const auto compared = side_by_side(study, trials, std::vector<std::int64_t>{2, 1}, Pairs::all, kAlpha);
  CHECK(compared.pairs[0].id == 2);
  CHECK(compared.pairs[0].comparison->effect < 0);
  CHECK(*compared.configurations[0].worst_share > 1);
  CHECK_THAT(pairs_conclusion(compared), Contains("The baseline is better than configuration 2, at 5 %"));
}

TEST_CASE("a record compares by what nobody was chosen by, and only with too little of it by the search") {
  StudyView study = study_of_three();
  for (int i = 0; i < 3; ++i) add_block(study, Purpose::search, {{kBaselineId, 1000.0 + i}, {2, 1300}, {3, 1001}});
  add_block(study, Purpose::confirm, {{kBaselineId, 1000}, {2, 1100}});
  const std::vector<std::int64_t> ids = {2, kBaselineId};
  const auto searched = side_by_side_in_record(study, ids);
  CHECK(searched.source == BlockSource::searched);
  CHECK(searched.pairs[0].blocks == 4);
  CHECK_THAT(record_conclusion(searched), Contains("looks better than it is"));
  add_block(study, Purpose::confirm, {{kBaselineId, 1000}, {2, 1101}});
  const auto settled = side_by_side_in_record(study, ids);
  CHECK(settled.source == BlockSource::settled);
  CHECK(settled.pairs[0].blocks == 2);
  CHECK(settled.pairs[0].comparison->effect == Approx(0.1005).margin(0.001));
}

TEST_CASE("with too few blocks no interval is given, and the document says null") {
  const auto trials = own_trials({kBlocks[0]});
  const StudyView study = study_of_three();
  const auto compared = side_by_side(study, trials, std::vector<std::int64_t>{1, 2}, Pairs::all, kAlpha);
  CHECK_FALSE(compared.pairs[0].comparison);
  CHECK_THAT(side_by_side_text(study, compared, 120), Contains("too few blocks"));
  const auto json = side_by_side_json(study, compared);
  CHECK(json.at("pairs").at(0).at("effect").is_null());
  CHECK(json.at("pairs").at(0).at("blocks") == 1);
  CHECK(json.at("configurations").at(1).at("values").at("processes") == 2);
}
