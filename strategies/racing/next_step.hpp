#pragma once
// The course of a study: pilot, search, confirmation, verdict. A pure function of the record, the seed and what is left of the budget, so
// an interrupted study goes on exactly as an uninterrupted one. The tests are fixed here, before any confirmation trial is run.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/racing/pilot_health.hpp"
#include "strategies/surrogate/memory.hpp"

namespace netsettle::strategies {

/// What is left; both absent means no limit.
struct BudgetLeft {
  std::optional<int> trials;             // of budget.trials, every planned trial and every retry counted
  std::optional<double> trials_by_time;  // seconds left / seconds a trial takes here
};

struct BlockTrial {
  Configuration configuration;
  std::string origin;
  std::uint64_t seed = 0;
};

/// Run these in this order (already shuffled). Ports of the block are drawn from block_seed.
struct RunBlock {
  int block = 0;
  Purpose purpose = Purpose::search;
  std::vector<BlockTrial> trials;
};
/// Record these and ask again. (`configuration_id` refers to recorded configurations.)
struct Decide {
  std::vector<Decision> decisions;
};
enum class VerdictKind { winner, no_improvement, cannot_tell };
std::string_view to_text(VerdictKind kind);  // "winner", "no-improvement", "cannot-tell"

/// The study is over; the decision that says so is in the record.
struct Finished {};

using NextStep = std::variant<RunBlock, Decide, Finished>;

/// Precondition: no trial of the record is planned or live (the loop finishes a begun block first). `memory` saves work, it changes
/// nothing.
NextStep next_step(const StudyView& study, const BudgetLeft& left, SurrogateMemory* memory = nullptr);

/// How the trials of a study are divided (search/plan.hpp).
struct PhasePlan {
  int pilot_trials = 0;
  int finalists = 1;            // that meet the baseline in the confirmation
  int confirmation_blocks = 0;  // of the baseline and all finalists
  int search_trials = 0;        // what is left for the search; nullopt budgets give a sweep's need
  int spare_trials = 0;         // kept for repeats of invalid trials in the confirmation
  int simplification_trials = 0;

  int confirmation_trials() const { return confirmation_blocks * (finalists + 1); }
  int trials_after_search() const { return confirmation_trials() + spare_trials + simplification_trials; }
};
/// The plan by the number of trials alone.
PhasePlan phase_plan(const StudyView& study);
/// The plan where the clock may end the study: by the trials that were run and those that still fit.
PhasePlan phase_plan(const StudyView& study, const BudgetLeft& left);

/// Seed of anything random in a block, from the study's seed.
std::uint64_t block_seed(std::uint64_t study_seed, int block);

struct Interval95 {
  double estimate = 0, low = 0, high = 0;  // relative difference to the baseline
};

/// One line of the final table.
struct ConfigurationSummary {
  std::int64_t id = 0;
  int n = 0;  // measured trials (search and confirmation)
  int failed = 0, invalid = 0;
  double mean = 0, minimum = 0, maximum = 0;  // of the objective; meaningless where n is 0
  std::optional<Interval95> versus_baseline;  // within-block, all phases; absent for the baseline or below 2 common blocks
};
std::vector<ConfigurationSummary> summarise(const StudyView& study);

/// How one finalist ended.
struct FinalistSummary {
  std::int64_t id = 0;
  std::string standing;              // "proven", "not proven", "eliminated", "failing", "unstable"
  int blocks = 0;                    // complete fresh blocks that it shares with the baseline
  std::optional<Interval95> effect;  // at the level of the verdict
  std::optional<double> posterior;   // P(better than the baseline) by everything measured
};

struct StudyVerdict {
  VerdictKind kind = VerdictKind::cannot_tell;
  std::int64_t configuration_id = kBaselineId;  // the one handed over
  std::int64_t leader_id = kBaselineId;         // the one that was confirmed, or would have been
  std::int64_t smallest_id = kBaselineId;       // the smallest change that is as good as the one handed over; it itself where none is
  std::optional<Interval95> effect;             // confirmation blocks only
  int blocks = 0;                               // complete confirmation blocks
  std::vector<FinalistSummary> finalists;       // as promoted, the search's best first; empty in records of earlier releases
  std::string statement;                        // the verdict sentence
};
/// nullopt while the study has none. Of a study that went on with a larger budget, the one it has until the next.
std::optional<StudyVerdict> verdict_of(const StudyView& study);

/// A whole number among a decision's inputs; absent where there is none, or something else stands there.
std::optional<int> number_in_inputs(const Decision& decision, std::string_view name);
std::optional<double> value_in_inputs(const Decision& decision, std::string_view name);

/// winner, no_improvement or cannot_tell.
bool is_verdict(DecisionKind kind);

/// Whether the study has a verdict that ends it under its present budget: a budget.trials of at least least_extension lets it go on, with a
/// confirmation at half the error of the one before (docs/decisions/0004).
bool has_verdict(const StudyView& study);

/// The smallest budget.trials with which a study that has its verdict goes on; nullopt without a verdict or where it has no number of
/// trials.
std::optional<int> least_extension(const StudyView& study);

/// The verdict where the study is ended before its time.
Decision closing_decision(const StudyView& study);

/// What the pilot found, printed before the night: noise (coefficient of variation) and the smallest difference that the confirmation can
/// prove.
struct PilotResult {
  int n = 0;
  double mean = 0;
  double coefficient_of_variation = 0;
  double provable_effect = 0;  // relative, power 0.8
  PilotHealth health;
};
std::optional<PilotResult> pilot_of(const StudyView& study);

/// The id and objective value of the best configuration so far by posterior mean, for the progress line.
std::optional<std::pair<std::int64_t, double>> best_so_far(const StudyView& study);

}  // namespace netsettle::strategies
