#include "strategies/racing/next_step.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/racing/confirmation.hpp"
#include "strategies/racing/drift.hpp"
#include "strategies/racing/finalists.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/racing/race.hpp"
#include "strategies/racing/ruling.hpp"
#include "strategies/racing/simplification.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::uint64_t kOrderSeed = 0x6f72646572;  // "order"

/// Everything that the phases look at.
struct Course {
  const StudyView& study;
  PhasePlan plan;
  int affordable = 0;  // trials that budget and clock still allow
  SurrogateMemory* memory = nullptr;
};

Course course_of(const StudyView& study, const BudgetLeft& left, SurrogateMemory* memory) {
  constexpr double kMost = 1'000'000;
  double affordable = left.trials ? *left.trials : kMost;
  affordable = std::min(affordable, left.trials_by_time.value_or(kMost));
  return {.study = study, .plan = phase_plan(study, left), .affordable = static_cast<int>(std::max(0.0, affordable)), .memory = memory};
}

/// A block in random order.
RunBlock make_block(const StudyView& study, Purpose purpose, const std::vector<Proposal>& proposals) {
  RunBlock block{.block = next_block_number(study), .purpose = purpose, .trials = {}};
  const std::uint64_t seed = block_seed(study.experiment.study.seed, block.block);
  for (const Proposal& proposal : proposals) block.trials.push_back({proposal.configuration, proposal.origin, 0});
  Random random(derive_seed(seed, kOrderSeed));
  shuffle(block.trials, random);
  for (std::size_t i = 0; i < block.trials.size(); ++i) block.trials[i].seed = derive_seed(seed, i + 1);
  return block;
}

Proposal baseline_of(const StudyView& study) { return {study.space.baseline(), "baseline"}; }

int pilot_trials_so_far(const StudyView& study) {
  int n = 0;
  for (const Block& block : only(blocks_of(study), Purpose::pilot)) n += static_cast<int>(block.trials.size());
  return n;
}

NextStep finish(const StudyView& study, const Ruling& ruling) { return Decide{{conclusion(study, ruling)}}; }

std::optional<NextStep> pilot_step(const Course& course) {
  const StudyView& study = course.study;
  if (const Decision* decided = last_decision(study, DecisionKind::pilot)) {
    if (decided->n.value_or(0) >= 2) return std::nullopt;
    return finish(study, rule_unconfirmed(study, Ground::no_baseline, course.memory));
  }
  const int missing = course.plan.pilot_trials - pilot_trials_so_far(study);
  const int size = std::min(course.plan.pilot_trials / 2, missing);
  if (size > 0 && size <= course.affordable)
    return make_block(study, Purpose::pilot, std::vector<Proposal>(static_cast<std::size_t>(size), baseline_of(study)));
  return Decide{{pilot_decision(study, course.plan.confirmation_blocks, kAlpha / course.plan.finalists)}};
}

/// Trials that the next search block may have, baseline included; what the confirmation needs is kept back.
int search_room(const Course& course) {
  return std::min(course.plan.search_trials - search_trials_so_far(course.study), course.affordable - course.plan.trials_after_search());
}

/// Whether the search was ended early since the last verdict.
bool search_was_stopped(const StudyView& study) {
  const auto last = std::find_if(study.decisions.rbegin(), study.decisions.rend(),
                                 [](const Decision& decision) { return decision.kind == DecisionKind::stop || is_verdict(decision.kind); });
  return last != study.decisions.rend() && last->kind == DecisionKind::stop;
}

Decision stop_decision(const StudyView& study, const Strategy& strategy, const Exhaustion& exhaustion) {
  return {.kind = DecisionKind::stop,
          .configuration_id = std::nullopt,
          .versus = std::nullopt,
          .method = std::string(strategy.name()),
          .n = search_trials_so_far(study),
          .effect = exhaustion.remaining_potential,
          .inputs_json = nlohmann::json{{"reason", exhaustion.reason}}.dump()};
}

/// The next block of the search, or its early end; nullopt where it is over.
std::optional<NextStep> search_step(const Course& course) {
  const StudyView& study = course.study;
  if (search_was_stopped(study)) return std::nullopt;
  const auto strategy = make_strategy(study, course.memory);
  const int room = search_room(course) - (strategy->interleaves_baseline() ? 1 : 0);
  if (room < 1) return std::nullopt;
  if (const auto exhaustion = strategy->exhausted(study)) return Decide{{stop_decision(study, *strategy, *exhaustion)}};
  const int count = std::min(strategy->block_size(study), room);
  std::vector<Proposal> proposals = strategy->ask(study, next_block_number(study), count);
  if (proposals.empty()) return std::nullopt;
  if (strategy->interleaves_baseline()) proposals.insert(proposals.begin(), baseline_of(study));
  return make_block(study, Purpose::search, proposals);
}

/// One decision for each configuration that cannot lead, and why.
std::vector<Decision> infeasible_decisions(const StudyView& study, const Standings& standings) {
  std::vector<Decision> decisions;
  for (const Standing& standing : standings.others) {
    const bool recorded = std::ranges::any_of(study.decisions, [&](const Decision& decision) {
      return decision.kind == DecisionKind::infeasible && decision.configuration_id == standing.id;
    });
    if (standing.obstacle.empty() || recorded) continue;
    decisions.push_back({.kind = DecisionKind::infeasible,
                         .configuration_id = standing.id,
                         .versus = std::nullopt,
                         .method = "search-means",
                         .n = standing.n,
                         .inputs_json = nlohmann::json{{"reason", standing.obstacle}}.dump()});
  }
  return decisions;
}

NextStep close_search(const Course& course) {
  const StudyView& study = course.study;
  const auto standings = standings_of(study, course.memory);
  std::vector<Decision> decisions = drift_decisions(study);
  const auto infeasible = standings ? infeasible_decisions(study, *standings) : std::vector<Decision>{};
  decisions.insert(decisions.end(), infeasible.begin(), infeasible.end());
  const auto promoted = standings ? promotions(study, *standings, course.plan, course.affordable) : std::vector<Decision>{};
  decisions.insert(decisions.end(), promoted.begin(), promoted.end());
  if (promoted.empty()) {
    const bool nobody = !standings || candidates_of(study, *standings).empty();
    decisions.push_back(conclusion(study, rule_unconfirmed(study, nobody ? Ground::no_candidate : Ground::no_room, course.memory)));
  }
  return Decide{std::move(decisions)};
}

/// Blocks with an invalid trial are replaced, but not for ever.
bool wants_more(const Confirmation& confirmation) {
  const int most = confirmation.planned + std::max(2, confirmation.planned / 2);
  return std::ssize(confirmation.complete) < confirmation.planned && confirmation.tried < most && confirmation.open() > 0;
}

/// The baseline and the finalists that are still in.
std::vector<Proposal> arms_of(const StudyView& study, const Confirmation& confirmation) {
  std::vector<Proposal> arms{baseline_of(study)};
  for (const Finalist& finalist : confirmation.finalists) {
    const auto known = std::ranges::find(study.configurations, finalist.id, &StudyConfiguration::id);
    if (finalist.state == FinalistState::open && known != study.configurations.end()) arms.push_back({known->configuration, known->origin});
  }
  return arms;
}

/// Tests of smaller changes, after a proven winner; nullopt where there is nothing (more) to test.
std::optional<NextStep> simplification_step(const Course& course, const Confirmation& confirmation, const Ruling& ruling) {
  if (ruling.ground != Ground::proven) return std::nullopt;
  const StudyView& study = course.study;
  const Simplification simplification = simplification_of(study);
  if (const auto& test = simplification.open) {
    const auto winner = std::ranges::find(study.configurations, test->winner_id, &StudyConfiguration::id);
    if (test->wants_more() && course.affordable >= 2 && winner != study.configurations.end())
      return make_block(study, Purpose::simplify, {{winner->configuration, winner->origin}, {test->simpler, "simplified"}});
    return Decide{{simplification_result(study, *test)}};
  }
  auto plan = simplification_plan(study, simplification, ruling.leader_id, indifference(study), confirmation.planned, course.affordable,
                                  course.memory);
  if (!plan) return std::nullopt;
  return Decide{{std::move(*plan)}};
}

NextStep confirmation_step(const Course& course, const Confirmation& confirmation) {
  const StudyView& study = course.study;
  if (auto decisions = leaving(study, confirmation); !decisions.empty()) return Decide{std::move(decisions)};
  if (wants_more(confirmation)) {
    const std::vector<Proposal> arms = arms_of(study, confirmation);
    if (arms.size() > 1 && course.affordable >= std::ssize(arms)) return make_block(study, Purpose::confirm, arms);
  }
  const Ruling ruling = rule_confirmed(study, confirmation, course.memory);
  if (auto step = simplification_step(course, confirmation, ruling)) return std::move(*step);
  return finish(study, ruling);
}

}  // namespace

Decision closing_decision(const StudyView& study) {
  const auto confirmation = confirmation_of(study);
  if (!confirmation) return conclusion(study, rule_unconfirmed(study, Ground::stopped));
  Ruling ruling = rule_confirmed(study, *confirmation);
  const bool complete = std::ssize(confirmation->complete) >= confirmation->planned;
  if (!complete && ruling.ground != Ground::obstacle) {
    ruling.ground = Ground::stopped;  // whoever ends it knows the values: an interval now would be a look in between
    ruling.best.reset();
    for (Finalist& finalist : ruling.confirmation->finalists) finalist.comparison.reset();
  }
  return conclusion(study, ruling);
}

NextStep next_step(const StudyView& study, const BudgetLeft& left, SurrogateMemory* memory) {
  if (has_verdict(study)) return Finished{};
  const Course course = course_of(study, left, memory);
  if (auto step = pilot_step(course)) return std::move(*step);
  if (const auto confirmation = confirmation_of(study)) return confirmation_step(course, *confirmation);
  if (auto step = search_step(course)) return std::move(*step);
  return close_search(course);
}

}  // namespace netsettle::strategies
