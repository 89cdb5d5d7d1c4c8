#include "strategies/racing/next_step.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/racing/confirmation.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/racing/ruling.hpp"
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
    return finish(study, rule_unconfirmed(study, Ground::no_baseline));
  }
  const int missing = course.plan.pilot_trials - pilot_trials_so_far(study);
  const int size = std::min(course.plan.pilot_trials / 2, missing);
  if (size > 0 && size <= course.affordable)
    return make_block(study, Purpose::pilot, std::vector<Proposal>(static_cast<std::size_t>(size), baseline_of(study)));
  return Decide{{pilot_decision(study, course.plan.confirmation_blocks)}};
}

/// Trials that the next search block may have, baseline included; what the confirmation needs is kept back.
int search_room(const Course& course) {
  const int kept = 2 * course.plan.confirmation_blocks + course.plan.spare_trials;
  return std::min(course.plan.search_trials - search_trials_so_far(course.study), course.affordable - kept);
}

std::optional<RunBlock> search_block(const Course& course) {
  const auto strategy = make_strategy(course.study, course.memory);
  const int room = search_room(course) - (strategy->interleaves_baseline() ? 1 : 0);
  if (room < 1) return std::nullopt;
  const int count = std::min(strategy->block_size(course.study), room);
  std::vector<Proposal> proposals = strategy->ask(course.study, next_block_number(course.study), count);
  if (proposals.empty()) return std::nullopt;
  if (strategy->interleaves_baseline()) proposals.insert(proposals.begin(), baseline_of(course.study));
  return make_block(course.study, Purpose::search, proposals);
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

/// Each further confirmation of a study has half the error of the one before: all together at most twice the first.
double next_alpha(const StudyView& study) {
  const auto before = std::ranges::count(study.decisions, DecisionKind::promote, &Decision::kind);
  return std::ldexp(kAlpha, -static_cast<int>(before));
}

/// The search's best, without those that an earlier confirmation found to be unstable or failing.
const Standing* candidate_of(const StudyView& study, Standings& standings) {
  const bool went_on = std::ranges::any_of(study.decisions, [](const Decision& decision) { return is_verdict(decision.kind); });
  if (!went_on) return leader_of(standings);
  std::erase_if(standings.others, [&](const Standing& standing) {
    const bool unstable = std::ranges::any_of(study.decisions, [&](const Decision& decision) {
      return decision.kind == DecisionKind::unstable && decision.configuration_id == standing.id;
    });
    return unstable || failures_of(study, standing.id, Purpose::confirm) > 0;
  });
  return leader_of(standings);
}

/// The test, fixed before any of its trials is run.
Decision promote_decision(const StudyView& study, const Standing& leader, int blocks) {
  const nlohmann::json inputs = {{"search_effect", leader.belief.mean},
                                 {"search_standard_deviation", leader.belief.standard_deviation},
                                 {"search_trials", leader.n},
                                 {"scale", "log"},
                                 {"minimum_blocks", kMinimumConfirmation},
                                 {"first_block", next_block_number(study)},
                                 {"delta", indifference(study)}};
  return {.kind = DecisionKind::promote,
          .configuration_id = leader.id,
          .versus = kBaselineId,
          .method = "paired-t-log",
          .n = blocks,
          .alpha = next_alpha(study),
          .inputs_json = inputs.dump()};
}

NextStep close_search(const Course& course) {
  const StudyView& study = course.study;
  auto standings = standings_of(study);
  std::vector<Decision> decisions = standings ? infeasible_decisions(study, *standings) : std::vector<Decision>{};
  const Standing* leader = standings ? candidate_of(study, *standings) : nullptr;
  const int blocks = std::min(course.plan.confirmation_blocks, course.affordable / 2);
  if (leader == nullptr)
    decisions.push_back(conclusion(study, rule_unconfirmed(study, Ground::no_candidate)));
  else if (blocks < kMinimumConfirmation)
    decisions.push_back(conclusion(study, rule_unconfirmed(study, Ground::no_room)));
  else
    decisions.push_back(promote_decision(study, *leader, blocks));
  return Decide{std::move(decisions)};
}

/// Blocks with an invalid trial are replaced, but not for ever.
bool wants_more(const Confirmation& confirmation) {
  const int most = confirmation.planned + std::max(2, confirmation.planned / 2);
  return std::ssize(confirmation.complete) < confirmation.planned && confirmation.tried < most && confirmation.failures == 0;
}

Decision unstable_decision(const Confirmation& confirmation) {
  const Instability& found = *confirmation.instability;
  const nlohmann::json inputs = {{"leader_variation", found.leader_variation}, {"baseline_variation", found.baseline_variation}};
  return {.kind = DecisionKind::unstable,
          .configuration_id = confirmation.leader_id,
          .versus = kBaselineId,
          .method = found.rule,
          .n = static_cast<int>(confirmation.complete.size()),
          .p = found.p,
          .inputs_json = inputs.dump()};
}

NextStep confirmation_step(const Course& course, const Confirmation& confirmation) {
  const StudyView& study = course.study;
  if (wants_more(confirmation) && course.affordable >= 2) {
    const auto leader = std::ranges::find(study.configurations, confirmation.leader_id, &StudyConfiguration::id);
    if (leader != study.configurations.end())
      return make_block(study, Purpose::confirm, {baseline_of(study), {leader->configuration, leader->origin}});
  }
  const Ruling ruling = rule_confirmed(study, confirmation);
  Decide decide;
  if (ruling.ground == Ground::unstable) decide.decisions.push_back(unstable_decision(confirmation));
  decide.decisions.push_back(conclusion(study, ruling));
  return decide;
}

}  // namespace

Decision closing_decision(const StudyView& study) {
  const auto confirmation = confirmation_of(study);
  if (!confirmation) return conclusion(study, rule_unconfirmed(study, Ground::stopped));
  Ruling ruling = rule_confirmed(study, *confirmation);
  const bool complete = std::ssize(confirmation->complete) >= confirmation->planned;
  if (!complete && ruling.ground != Ground::obstacle) {
    ruling.ground = Ground::stopped;  // whoever ends it knows the values: an interval now would be a look in between
    ruling.confirmation->comparison.reset();
  }
  return conclusion(study, ruling);
}

NextStep next_step(const StudyView& study, const BudgetLeft& left, SurrogateMemory* memory) {
  if (has_verdict(study)) return Finished{};
  const Course course = course_of(study, left, memory);
  if (auto step = pilot_step(course)) return std::move(*step);
  if (const auto confirmation = confirmation_of(study)) return confirmation_step(course, *confirmation);
  if (auto block = search_block(course)) return std::move(*block);
  return close_search(course);
}

}  // namespace netsettle::strategies
