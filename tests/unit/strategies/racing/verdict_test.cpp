#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "strategies/racing/pilot.hpp"
#include "strategies/racing/ruling.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

constexpr std::int64_t kLeader = 2;

/// A study in which configuration 2 was promoted; its fresh blocks have these ratios to the baseline.
StudyView confirmed(const std::vector<double>& ratios, double noise = 0.02) {
  Experiment experiment = experiment_of({levels("processes", {1, 2, 4})});
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = 40;
  StudyView study = fresh(experiment);
  add_configuration(study, with_value("processes", 4));
  add_block(study, Purpose::pilot, {{1, 100 * (1 - noise)}, {1, 100}, {1, 100 * (1 + noise)}});
  study.decisions.push_back(pilot_decision(study, 6, kAlpha));
  add_block(study, Purpose::search, {{1, 100}, {kLeader, 103}});
  study.decisions.push_back({.kind = DecisionKind::promote, .configuration_id = kLeader, .versus = kBaselineId, .n = 6, .alpha = kAlpha});
  for (const double ratio : ratios) add_block(study, Purpose::confirm, {{1, 100}, {kLeader, 100 * ratio}});
  return study;
}

/// The verdict after the study's last step.
StudyVerdict verdict_after(StudyView study) {
  for (;;) {
    const NextStep step = next_step(study, {.trials = 0});
    if (std::holds_alternative<Finished>(step)) break;
    REQUIRE(std::holds_alternative<Decide>(step));
    for (const Decision& decision : std::get<Decide>(step).decisions) study.decisions.push_back(decision);
  }
  const auto verdict = verdict_of(study);
  REQUIRE(verdict);
  return *verdict;
}

}  // namespace

TEST_CASE("a number among a decision's inputs is absent where something else stands there") {
  Decision decision;
  decision.inputs_json = R"({"budget_trials":40,"trials_spent":"many"})";
  CHECK(number_in_inputs(decision, "budget_trials") == 40);
  CHECK(number_in_inputs(decision, "trials_spent") == std::nullopt);
  CHECK(number_in_inputs(decision, "first_block") == std::nullopt);
  decision.inputs_json = "[1";
  CHECK(number_in_inputs(decision, "budget_trials") == std::nullopt);
}

TEST_CASE("a winner is claimed where the interval of the fresh blocks is above zero") {
  const StudyVerdict verdict = verdict_after(confirmed({1.29, 1.33, 1.30, 1.32, 1.31, 1.31}));
  CHECK(verdict.kind == VerdictKind::winner);
  CHECK(verdict.configuration_id == kLeader);
  CHECK(verdict.blocks == 6);
  REQUIRE(verdict.effect);
  CHECK(verdict.effect->low > 0);
  CHECK(verdict.statement == "processes=4 beats the settings you had by 31 % (95 % interval 30 % to 32 %, 6 fresh blocks).");
}

TEST_CASE("of a latency less is better: the smaller one wins, and its mean is as measured") {
  StudyView study = confirmed({0.80, 0.81, 0.79, 0.80, 0.80, 0.81});
  study.experiment.objective.maximize = "latency_avg_us";
  study.experiment.load.rate = 1000;
  for (Trial& trial : study.trials) trial.measurements = {{"latency_avg_us", trial.measurements.at("qps")}};
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::winner);
  CHECK_THAT(verdict.statement, Catch::Contains("beats the settings you had by 25 %") && Catch::Contains("latency_avg_us 19.8 % lower"));
  const auto summaries = summarise(study);
  CHECK(summaries[1].mean == Approx((103 + 80 + 81 + 79 + 80 + 80 + 81) / 7.0));
  CHECK(summaries[1].versus_baseline->estimate > 0);
  CHECK(best_so_far(study)->second == Approx(100).margin(1));  // microseconds again, not their reciprocal
}

TEST_CASE("an interval across zero with room above delta is not proven, and the sentence says what would help") {
  const StudyVerdict verdict = verdict_after(confirmed({0.95, 1.09, 0.99, 1.06, 0.95, 1.10}));
  CHECK(verdict.kind == VerdictKind::cannot_tell);
  CHECK(verdict.configuration_id == kBaselineId);
  CHECK(verdict.leader_id == kLeader);
  CHECK_THAT(verdict.statement,
             Catch::StartsWith("Not proven: processes=4 measured +2.1 % (95 % interval −4.8 % to +9.6 %) in 6 fresh blocks; "
                               "the machine's noise (CV 2.0 %) hides differences below 4.1 %."));
  CHECK_THAT(verdict.statement, Catch::Contains("About 81 fresh blocks would settle a difference of this size"));
  CHECK_THAT(verdict.statement, Catch::EndsWith("The settings you had are kept."));
}

TEST_CASE("an interval that ends below delta rules an improvement out") {
  const StudyVerdict verdict = verdict_after(confirmed({1.00, 1.01, 0.99, 1.005, 0.995, 1.0}));
  CHECK(verdict.kind == VerdictKind::no_improvement);
  CHECK(verdict.configuration_id == kBaselineId);
  CHECK_THAT(verdict.statement, Catch::StartsWith("Nothing beats the settings you had: the best other configuration found (processes=4)"));
  CHECK_THAT(verdict.statement, Catch::Contains("is ruled out at 95 %"));
}

TEST_CASE("a leader that is worse is said to be worse") {
  CHECK_THAT(verdict_after(confirmed({0.90, 0.91, 0.89, 0.90, 0.91, 0.90})).statement, Catch::EndsWith("which is worse."));
}

TEST_CASE("a real difference below what matters to the user is no improvement") {
  StudyView study = confirmed({1.004, 1.005, 1.006, 1.005, 1.004, 1.006});
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::no_improvement);
  CHECK(verdict.configuration_id == kBaselineId);
  CHECK_THAT(verdict.statement, Catch::StartsWith("Nothing worth changing"));
  study.experiment.objective.min_effect = 0.001;
  CHECK(verdict_after(study).kind == VerdictKind::winner);
}

TEST_CASE("five fresh blocks prove nothing, however clear they are") {
  StudyView study = confirmed({1.5, 1.5, 1.51, 1.49, 1.5});
  add_block(study, Purpose::confirm, {{1, 0, Outcome::invalid}, {kLeader, 150}});
  study.trials[study.trials.size() - 2].reasons = {{"clock-step", ""}};
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::cannot_tell);
  CHECK(verdict.blocks == 5);
  CHECK_THAT(verdict.statement,
             Catch::Contains("5 of 6 fresh blocks complete, and at least 6 are needed (most trials were lost to clock-step)"));
  CHECK(verdict.configuration_id == kLeader);  // handed over as probably better, without a claim
}

TEST_CASE("a leader that fails in a fresh trial cannot win and nothing more is spent on it") {
  StudyView study = confirmed({1.5, 1.5});
  add_block(study, Purpose::confirm, {{1, 100}, {kLeader, 0, Outcome::failed}});
  const NextStep step = next_step(study, {.trials = 20});
  REQUIRE(std::holds_alternative<Decide>(step));
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::cannot_tell);
  CHECK(verdict.configuration_id == kBaselineId);
  CHECK_THAT(verdict.statement, Catch::Contains("cannot win, in the fresh blocks it failed in 1 trial"));
}

TEST_CASE("a leader that violates a limit in the fresh blocks cannot win") {
  StudyView study = confirmed({1.29, 1.33, 1.30, 1.32, 1.31, 1.31});
  study.experiment.objective.subject_to = {expression("lost_percent <= 0.1")};
  for (Trial& trial : study.trials) trial.measurements["lost_percent"] = trial.purpose == Purpose::confirm ? 0.5 : 0.0;
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::cannot_tell);
  CHECK(verdict.configuration_id == kBaselineId);
  CHECK_THAT(verdict.statement, Catch::Contains("lost_percent <= 0.1 does not hold"));
}

TEST_CASE("an unstable leader gets a decision of its own and cannot win") {
  StudyView study = confirmed({1.9, 1.3, 1.9, 1.2, 1.8, 1.9});
  for (std::size_t i = 0; i < study.trials.size(); ++i)
    if (study.trials[i].configuration_id == kBaselineId && study.trials[i].purpose == Purpose::confirm)
      study.trials[i].measurements["qps"] = 100 + 0.1 * static_cast<double>(i);
  const NextStep step = next_step(study, {.trials = 0});
  const auto& decisions = std::get<Decide>(step).decisions;
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].kind == DecisionKind::unstable);
  CHECK(decisions[0].configuration_id == kLeader);
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::cannot_tell);
  CHECK(verdict.configuration_id == kBaselineId);
  CHECK_THAT(verdict.statement, Catch::Contains("is unstable and cannot win"));
}

TEST_CASE("a leader that is probably better is handed over without a claim") {
  StudyView study = confirmed({1.005, 1.09, 1.005, 1.06, 0.995, 1.10});
  const StudyVerdict verdict = verdict_after(study);
  CHECK(verdict.kind == VerdictKind::cannot_tell);
  CHECK(verdict.configuration_id == kLeader);
  CHECK_THAT(verdict.statement, Catch::Contains("handed over as probably better (9"));
}

TEST_CASE("suspect fresh trials are a caveat of the sentence") {
  StudyView study = confirmed({1.29, 1.33, 1.30, 1.32, 1.31, 1.31});
  for (Trial& trial : study.trials)
    if (trial.purpose == Purpose::confirm && trial.configuration_id == kLeader && trial.block % 2 == 0) {
      trial.suspect = true;
      trial.reasons = {{"window-limited", ""}};
    }
  CHECK_THAT(verdict_after(study).statement, Catch::EndsWith("Caveat: 3 of its 6 fresh trials are suspect (window-limited)."));
}

TEST_CASE("the final decision holds what it was computed from") {
  const StudyView study = confirmed({1.29, 1.33, 1.30, 1.32, 1.31, 1.31});
  const NextStep step = next_step(study, {.trials = 0});
  const Decision decision = std::get<Decide>(step).decisions.back();
  CHECK(decision.kind == DecisionKind::winner);
  CHECK(decision.alpha == kAlpha);
  CHECK(*decision.p < 0.001);
  const auto inputs = nlohmann::json::parse(decision.inputs_json);
  CHECK(inputs.at("ground") == "proven");
  REQUIRE(inputs.at("blocks").size() == 6);
  CHECK(inputs.at("blocks")[0].at("trials")[1].at("configuration") == kLeader);
  CHECK(inputs.at("blocks")[0].at("trials")[1].at("value") == Approx(129));
  CHECK(inputs.at("blocks")[0].at("trials")[0].at("trial") == study.trials[5].id);
  CHECK(inputs.at("finalists")[0].at("standing") == "proven");
}

TEST_CASE("the stored verdict is the authority, not what would be computed today") {
  StudyView study = confirmed({1.0, 1.0, 1.0, 1.0, 1.0, 1.0});
  study.decisions.push_back({.kind = DecisionKind::winner,
                             .configuration_id = kLeader,
                             .n = 6,
                             .effect = 0.1,
                             .low = 0.05,
                             .high = 0.15,
                             .inputs_json = R"({"leader":2,"statement":"as it was said then"})"});
  const auto verdict = verdict_of(study);
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::winner);
  CHECK(verdict->statement == "as it was said then");
  CHECK(std::holds_alternative<Finished>(next_step(study, {.trials = 20})));
}

TEST_CASE("a study that is not over has no verdict") { CHECK_FALSE(verdict_of(confirmed({1.3, 1.3}))); }
