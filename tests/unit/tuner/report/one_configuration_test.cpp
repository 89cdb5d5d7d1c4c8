#include "tuner/report/one_configuration.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/unit/tuner/report/sample.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;

namespace {

/// Configuration 2 beside the baseline in blocks; results below by SciPy (t.ppf) and NumPy.
StudyView measured() {
  StudyView study = sample_study();
  const std::vector<double> ours{54000, 54100, 53800, 54050, 54010, 53940}, baseline{41000, 40900, 41200, 40950, 40990, 41060};
  for (std::size_t i = 0; i < ours.size(); ++i) add_block(study, ours[i], baseline[i]);
  Trial own = study.trials[study.trials.size() - 2];  // of configuration 2
  own.purpose = Purpose::manual;
  own.block = 20;
  own.measurements["qps"] = 99'999;
  study.trials.push_back(own);
  return study;
}

/// Twelve intervals around a rate, every other one 1 % above.
TrialSeries series(double rate, double overhead_s) {
  TrialSeries made{.interval_s = 1, .overhead_s = overhead_s};
  for (int i = 0; i < 12; ++i) made.rates.push_back(rate * (i % 2 == 0 ? 1 : 1.01));
  return made;
}

}  // namespace

TEST_CASE("the trials of a configuration are summed up without those of a person's own") {
  const ConfigurationFigures figures = figures_of(measured(), 2, {});
  CHECK(figures.values.size() == 6);
  CHECK(figures.invalid == 1);
  REQUIRE(figures.mean);
  CHECK(figures.mean->estimate == Approx(53983.33).epsilon(1e-6));
  CHECK(figures.mean->low == Approx(53873.7355).epsilon(1e-8));
  REQUIRE(figures.typical);
  CHECK(figures.typical->estimate == Approx(54000));
  REQUIRE(figures.median);
  CHECK(figures.median->low == 53800);
  CHECK(figures.median->high == 54100);
  CHECK_FALSE(figures.dip);  // from 30 values on
  CHECK_FALSE(figures.length);
}

TEST_CASE("it is compared with the baseline in the blocks that both were measured in") {
  const ConfigurationFigures figures = figures_of(measured(), 2, {});
  CHECK(figures.shared_blocks == 6);
  REQUIRE(figures.versus_baseline);
  CHECK(figures.versus_baseline->effect == Approx(0.31613315).epsilon(1e-6));
  CHECK(figures.versus_baseline->low == Approx(0.3099603).epsilon(1e-6));
  CHECK(figures.versus_baseline->high == Approx(0.32233508).epsilon(1e-6));
  REQUIRE(figures.ratio);
  CHECK(figures.ratio->ratio == Approx(53983.33 / 41016.67).epsilon(1e-6));
  CHECK_FALSE(figures.bootstrap_ratio);  // from 10 blocks on
  CHECK_FALSE(figures_of(measured(), kBaselineId, {}).versus_baseline);
}

TEST_CASE("of a latency less is better, and its mean is as measured") {
  StudyView study = sample_study();
  study.experiment.objective.maximize = "latency_avg_us";
  for (int block = 0; block < 6; ++block) add_block(study, 500, 800);
  int i = 0;
  for (Trial& trial : study.trials)
    if (trial.purpose == Purpose::confirm) trial.measurements["latency_avg_us"] = trial.measurements["qps"] + 3 * (i++ % 4);
  const ConfigurationFigures figures = figures_of(study, 2, {});
  REQUIRE(figures.versus_baseline);
  CHECK(figures.versus_baseline->effect == Approx(0.6).margin(0.02));
  REQUIRE(figures.ratio);
  CHECK(figures.ratio->ratio == Approx(500.0 / 800).margin(0.01));
  CHECK(figures.mean->estimate == Approx(503).margin(3));
}

TEST_CASE("the series of a trial is what lies in its window") {
  Experiment experiment;
  experiment.trial.warmup = std::chrono::seconds(2);
  experiment.trial.measure = std::chrono::seconds(10);
  const Trial trial{.started_us = 0, .ended_us = 13'500'000};
  std::vector<Interval> intervals;
  for (int second = 1; second <= 12; ++second) intervals.push_back({.time_s = static_cast<double>(second), .qps = 100.0 * second});
  const auto found = series_of(experiment, trial, intervals);
  REQUIRE(found);
  CHECK(found->rates.size() == 10);
  CHECK(found->rates.front() == 300);
  CHECK(found->interval_s == 1);
  CHECK(found->overhead_s == Approx(3.5));
  CHECK_FALSE(series_of(experiment, trial, {}));
}

TEST_CASE("how long a trial should be follows from the spread within and between trials") {
  const std::vector<TrialSeries> alike{series(1000, 5), series(1000, 5), series(1000, 5)},
      apart{series(1000, 5), series(1100, 5), series(900, 5)};
  const auto longest = figures_of(measured(), 2, alike).length, shortest = figures_of(measured(), 2, apart).length;
  REQUIRE(longest);
  REQUIRE(shortest);
  CHECK(longest->seconds == 30);
  CHECK(longest->reason == strategies::LengthReason::trials_agree);
  CHECK(shortest->seconds == 8);
  CHECK(shortest->reason == strategies::LengthReason::trials_differ);
}

TEST_CASE("text and document say the same, and nothing of what could not be computed") {
  const StudyView study = measured();
  const std::vector<TrialSeries> apart{series(1000, 5), series(1100, 5), series(900, 5)};
  const ConfigurationFigures figures = figures_of(study, 2, apart);
  const std::string text = configuration_text(study, figures);
  CHECK_THAT(text, Contains("Configuration 2: processes=2, rmem=4 MiB") && Contains("6 trials measured, 1 invalid") &&
                       Contains("Against the baseline in 6 shared blocks, more is better: +32 %") &&
                       Contains("arithmetic mean of qps +32 %") && Contains("Fieller") && Contains("measures for 8 s"));
  CHECK_THAT(text, !Contains("dip") && !Contains("bootstrap"));
  const auto json = nlohmann::json::parse(configuration_json(study, figures));
  CHECK(json.at("n") == 6);
  CHECK(json.at("versus_baseline").at("effect").get<double>() == Approx(figures.versus_baseline->effect));
  CHECK(json.at("arithmetic_bootstrap").is_null());
  CHECK(json.at("dip_p").is_null());
  CHECK(json.at("trial_length_s") == 8);
  CHECK(json.at("trial_length_reason") == "trials-differ");
  const std::string nothing = configuration_text(study, figures_of(study, 3, {}));
  CHECK_THAT(nothing, Contains("0 trials measured") && !Contains("mean") && !Contains("baseline"));
}
