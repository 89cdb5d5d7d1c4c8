#include "strategies/course/course.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/racing/confirmation.hpp"
#include "strategies/racing/simplification.hpp"

namespace netsettle::strategies {
namespace {

BudgetLeft budget_left(const StudyView& study, std::optional<double> trials_by_time) {
  BudgetLeft left{.trials = std::nullopt, .trials_by_time = trials_by_time};
  if (study.experiment.budget.trials) left.trials = std::max(0, *study.experiment.budget.trials - trials_spent(study.trials));
  return left;
}

/// What was left belongs to the inputs: with it anyone can recompute the decision.
void note_left(Decision& decision, const BudgetLeft& left) {
  auto inputs = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  if (!inputs.is_object()) return;
  if (left.trials) inputs["trials_left"] = *left.trials;
  if (left.trials_by_time) inputs["trials_left_by_clock"] = *left.trials_by_time;
  decision.inputs_json = inputs.dump();
}

/// What a person has measured must not change what is planned, counted or concluded.
StudyView without_own_trials(StudyView study) {
  std::erase_if(study.trials, [](const Trial& trial) { return trial.purpose == Purpose::manual || trial.purpose == Purpose::profile; });
  return study;
}

}  // namespace

StudyCourse::StudyCourse(StudyView study, Recorder& recorder) : study_(without_own_trials(std::move(study))), recorder_(&recorder) {}

BudgetLeft StudyCourse::left(std::optional<double> trials_by_time) const { return budget_left(study_, trials_by_time); }

Expected<CourseStep> StudyCourse::step(std::optional<double> trials_by_time) {
  if (has_verdict(study_)) return CourseStep(Finished{});
  const BudgetLeft remaining = left(trials_by_time);
  if (const auto pending = next_pending(study_.trials, retry_rule(study_.experiment), out_, remaining.trials)) {
    NETSETTLE_ASSIGN(RunTrial run, begin(*pending));
    return CourseStep(std::move(run));
  }
  const NextStep next = next_step(study_, remaining, &memory_);
  if (!out_.empty() && !may_plan_ahead(next)) return CourseStep(Waiting{});
  return take(next, remaining);
}

Expected<RunTrial> StudyCourse::begin(const PendingTrial& pending) {
  Trial trial = pending.like;
  if (pending.planned_id) {
    trial.id = *pending.planned_id;
  } else {
    trial = {.id = 0,
             .configuration_id = pending.like.configuration_id,
             .purpose = pending.like.purpose,
             .block = pending.like.block,
             .position = pending.like.position,
             .attempt = pending.like.attempt,
             .seed = pending.like.seed};
    NETSETTLE_ASSIGN(trial.id, recorder_->repeat(trial, *pending.retry_of));
    study_.trials.push_back(trial);
  }
  out_.insert(trial.id);
  return RunTrial{std::move(trial)};
}

/// While trials are out, blocks of the pilot and the search may be begun, and as many of the confirmation and of a test after it as were
/// promised; nothing is decided.
bool StudyCourse::may_plan_ahead(const NextStep& next) const {
  const auto* block = std::get_if<RunBlock>(&next);
  if (block == nullptr) return false;
  if (block->purpose == Purpose::simplify) {
    const auto test = simplification_of(study_).open;
    return test && test->tried < test->planned;
  }
  if (block->purpose != Purpose::confirm) return true;
  const auto confirmation = confirmation_of(study_);
  return confirmation && confirmation->tried < confirmation->planned;
}

Expected<CourseStep> StudyCourse::take(const NextStep& next, const BudgetLeft& left) {
  if (std::holds_alternative<Finished>(next)) return CourseStep(Finished{});
  if (const auto* made = std::get_if<Decide>(&next)) {
    NETSETTLE_ASSIGN(Recorded recorded, decide(made->decisions, left));
    return CourseStep(std::move(recorded));
  }
  NETSETTLE_TRY(plan(std::get<RunBlock>(next)));
  return CourseStep(Recorded{});
}

Expected<void> StudyCourse::plan(const RunBlock& block) {
  NETSETTLE_ASSIGN(const std::vector<PlannedIds> ids, recorder_->plan(block));
  int position = 0;
  for (const BlockTrial& wanted : block.trials) {
    const PlannedIds& id = ids[static_cast<std::size_t>(position)];
    if (std::ranges::find(study_.configurations, id.configuration, &StudyConfiguration::id) == study_.configurations.end())
      study_.configurations.push_back({id.configuration, wanted.configuration, wanted.origin});
    study_.trials.push_back({.id = id.trial,
                             .configuration_id = id.configuration,
                             .purpose = block.purpose,
                             .block = block.block,
                             .position = position++,
                             .seed = wanted.seed});
  }
  return {};
}

Expected<Recorded> StudyCourse::decide(std::vector<Decision> decisions, const BudgetLeft& left) {
  for (Decision& decision : decisions) note_left(decision, left);
  NETSETTLE_TRY(recorder_->decide(decisions));
  study_.decisions.insert(study_.decisions.end(), decisions.begin(), decisions.end());
  return Recorded{std::move(decisions)};
}

Expected<void> StudyCourse::end(const Trial& trial, const TrialEvidence* evidence) {
  const auto known = std::ranges::find(study_.trials, trial.id, &Trial::id);
  if (known == study_.trials.end()) return fail(ErrorCode::internal, "trial", "it is not of this study");
  NETSETTLE_TRY(recorder_->record(trial, evidence));
  *known = trial;
  if (trial.state == TrialState::interrupted) known->outcome.reset();
  std::erase_if(known->measurements, [](const auto& measured) { return !std::isfinite(measured.second); });
  out_.erase(trial.id);
  return {};
}

Expected<void> StudyCourse::close() {
  NETSETTLE_TRY(decide({closing_decision(study_)}, left()));
  return {};
}

bool is_over(const StudyView& record, std::optional<double> trials_by_time) {
  const StudyView study = without_own_trials(record);
  if (has_verdict(study)) return true;
  const BudgetLeft left = budget_left(study, trials_by_time);
  return !next_pending(study.trials, retry_rule(study.experiment), {}, left.trials) &&
         std::holds_alternative<Finished>(next_step(study, left));
}

}  // namespace netsettle::strategies
