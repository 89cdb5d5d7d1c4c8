#include "strategies/course/course.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Experiment random_experiment(int trials) {
  Experiment experiment = experiment_of({levels("processes", {1, 2, 3, 4}), range("backlog", 100, 100'000)});
  experiment.search.strategy = StrategyKind::random;
  experiment.budget.trials = trials;
  return experiment;
}

/// A course in memory whose trials are ended by hand.
struct Hand {
  explicit Hand(const Experiment& experiment) : recorder(fresh(experiment)), course(fresh(experiment), recorder) {}

  /// Steps until a trial is to be run; nullopt where nothing can be begun now.
  std::optional<Trial> ask() {
    for (;;) {
      const auto step = course.step();
      REQUIRE(step);
      if (const auto* run = std::get_if<RunTrial>(&*step)) return run->trial;
      if (!std::holds_alternative<Recorded>(*step)) return std::nullopt;
    }
  }
  void tell(Trial trial, double value) {
    trial.state = TrialState::done;
    trial.outcome = Outcome::measured;
    trial.measurements["qps"] = value;
    REQUIRE(course.end(trial));
  }

  MemoryRecorder recorder;
  StudyCourse course;
};

StudyView run_to_end(const World& world, StudyView study) {
  Simulation simulation(world, std::move(study));
  while (simulation.step()) {
  }
  return simulation.study();
}

double better_with_two(const Configuration& configuration) {
  const auto found = configuration.values.find("processes");
  return found != configuration.values.end() && found->second == Value(std::int64_t{2}) ? 0.2 : 0.0;
}

}  // namespace

TEST_CASE("several trials can be out, of the blocks that need no decision first") {
  Hand hand(random_experiment(40));
  std::vector<Trial> out;
  while (auto trial = hand.ask()) out.push_back(*trial);
  CHECK(out.size() == 6);  // the whole pilot; its decision needs its results
  CHECK(hand.course.out().size() == 6);
  for (auto trial = out.rbegin(); trial != out.rend(); ++trial) hand.tell(*trial, 100);
  out.clear();
  while (auto trial = hand.ask()) out.push_back(*trial);
  CHECK(out.size() == 20);  // the search, as long as the confirmation keeps its trials
  for (const Trial& trial : out) CHECK(trial.purpose == Purpose::search);
}

TEST_CASE("with trials out no more blocks of the confirmation are begun than were promised") {
  Hand hand(random_experiment(40));
  std::vector<Trial> out;
  bool confirmed = false;
  for (int round = 0; round < 10 && !confirmed; ++round) {
    while (auto trial = hand.ask()) out.push_back(*trial);
    confirmed = !out.empty() && out.front().purpose == Purpose::confirm;
    if (confirmed) break;
    for (const Trial& trial : out) hand.tell(trial, 100 + static_cast<double>(trial.id % 7));
    out.clear();
  }
  REQUIRE(confirmed);
  CHECK(out.size() == 12);
}

TEST_CASE("every decision says what was left of the budget when it was made") {
  const StudyView study = run_to_end({.noise = 0.03}, fresh(random_experiment(40)));
  REQUIRE_FALSE(study.decisions.empty());
  for (const Decision& decision : study.decisions) CHECK(nlohmann::json::parse(decision.inputs_json).contains("trials_left"));
  CHECK(nlohmann::json::parse(study.decisions.front().inputs_json).at("trials_left") == 34);
}

TEST_CASE("a study that is closed early has a verdict without a claim and runs nothing more") {
  Hand hand(random_experiment(40));
  hand.tell(*hand.ask(), 100);
  REQUIRE(hand.ask());
  REQUIRE(hand.course.close());
  CHECK_FALSE(hand.ask());
  CHECK(is_over(hand.course.study()));
  const auto verdict = verdict_of(hand.course.study());
  REQUIRE(verdict);
  CHECK(verdict->kind == VerdictKind::cannot_tell);
  CHECK(verdict->configuration_id == kBaselineId);
  CHECK(verdict->statement ==
        "Not proven: the study was ended before anything but the settings you had was measured. The settings you had are kept.");
}

TEST_CASE("ending a confirmation before its last block is not a look at its interval") {
  World world{.noise = 0.01};
  world.effect = better_with_two;
  Simulation simulation(world, fresh(random_experiment(60)));
  const auto confirmed = [&] { return std::ranges::count(simulation.study().trials, Purpose::confirm, &Trial::purpose) >= 10; };
  while (!confirmed() && simulation.step()) {
  }
  MemoryRecorder recorder(simulation.study());
  StudyCourse course(simulation.study(), recorder);
  REQUIRE(course.close());
  const auto verdict = verdict_of(course.study());
  CHECK(verdict->kind == VerdictKind::cannot_tell);
  CHECK_FALSE(verdict->effect);
  CHECK(verdict->statement.find("before the confirmation of") != std::string::npos);
}

TEST_CASE("a finished study goes on with a larger budget, and its next confirmation has half the error") {
  const World world{.noise = 0.05};
  StudyView study = run_to_end(world, fresh(random_experiment(40)));
  REQUIRE(has_verdict(study));
  const auto least = least_extension(study);
  REQUIRE(least);
  study.experiment.budget.trials = *least - 1;
  CHECK(is_over(study));
  study.experiment.budget.trials = 100;
  CHECK_FALSE(is_over(study));
  const StudyView longer = run_to_end(world, study);
  CHECK(is_over(longer));
  std::vector<double> alphas;
  for (const Decision& decision : longer.decisions)
    if (decision.kind == DecisionKind::promote) alphas.push_back(*decision.alpha);
  CHECK(alphas == std::vector{0.025, 0.00625});  // two finalists share 0.625 %
  CHECK(longer.decisions.back().alpha == 0.00625);
  CHECK(verdict_of(longer)->blocks >= 6);
  CHECK(verdict_of(longer)->statement.find("98.75 %") != std::string::npos);
  CHECK(trials_spent(longer.trials) <= 100);
}

TEST_CASE("a winner stays the winner where the search that went on proves nothing else") {
  World world{.noise = 0.01};
  world.effect = better_with_two;
  StudyView study = run_to_end(world, fresh(random_experiment(60)));
  REQUIRE(verdict_of(study)->kind == VerdictKind::winner);
  const std::int64_t winner = verdict_of(study)->configuration_id;
  const std::string statement = verdict_of(study)->statement;
  study.experiment.budget.trials = 120;
  world.effect = [](const Configuration&) { return 0.0; };  // from now on nothing is better
  world.noise = 0.05;
  const StudyView longer = run_to_end(world, study);
  CHECK(verdict_of(longer)->kind == VerdictKind::winner);
  CHECK(verdict_of(longer)->configuration_id == winner);
  CHECK(verdict_of(longer)->statement == statement + " The search went on, and nothing else was proven.");
}

TEST_CASE("trials of another record inform the search and are no part of budget, table and confirmation") {
  World world{.noise = 0.02};
  world.effect = better_with_two;
  const StudyView old = run_to_end(world, fresh(random_experiment(60)));
  StudyView study = fresh(random_experiment(40));
  study.configurations = old.configurations;
  for (Trial trial : old.trials) {
    if (trial.purpose == Purpose::pilot) continue;
    trial.purpose = Purpose::search;
    trial.imported_from = "old.db";
    trial.id = std::ssize(study.trials) + 1;
    study.trials.push_back(trial);
  }
  const StudyView done = run_to_end(world, study);
  const auto verdict = verdict_of(done);
  REQUIRE(verdict);
  CHECK(trials_spent(done.trials) <= 40);
  CHECK(verdict->blocks >= 6);
  const auto promoted = std::ranges::find(done.decisions, DecisionKind::promote, &Decision::kind);
  REQUIRE(promoted != done.decisions.end());
  CHECK(better_with_two(done.configurations[static_cast<std::size_t>(*promoted->configuration_id - 1)].configuration) > 0);
  int n = 0;
  for (const auto& summary : summarise(done)) n += summary.n;
  CHECK(n <= 40);
}
