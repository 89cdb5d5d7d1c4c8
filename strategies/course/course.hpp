#pragma once
// The course of a study, step by step, whoever runs its trials: the loop on a machine, a simulated machine, or another program by ask and
// tell. It keeps the record in memory and writes every step through a Recorder before it counts, so a study that is cut off anywhere and
// opened again goes on as if nothing had happened.

#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/course/pending.hpp"
#include "strategies/course/recorder.hpp"

namespace netsettle::strategies {

/// Run this trial, whose row is planned; it is out until `end` is called.
struct RunTrial {
  Trial trial;
};
/// Something was written down (a block, or these decisions): ask again.
struct Recorded {
  std::vector<Decision> decisions;
};
/// Nothing more can be begun before some of the trials that are out have ended.
struct Waiting {};

using CourseStep = std::variant<RunTrial, Recorded, Waiting, Finished>;

class StudyCourse {
 public:
  /// `study`: the whole record, under the budget that holds now; trials that a person asked for are no part of the course and left out. The
  /// recorder must outlive this.
  StudyCourse(StudyView study, Recorder& recorder);

  const StudyView& study() const { return study_; }
  /// Trials that are being run.
  const std::set<std::int64_t>& out() const { return out_; }
  /// `trials_by_time`: how many still fit by the clock; absent where no clock ends the study.
  BudgetLeft left(std::optional<double> trials_by_time = std::nullopt) const;

  /// The next thing to do. Fails only where the record cannot be written; then nothing has changed.
  Expected<CourseStep> step(std::optional<double> trials_by_time = std::nullopt);

  /// Records what a trial showed. Precondition: it is of this study and has ended.
  Expected<void> end(const Trial& trial, const TrialEvidence* evidence = nullptr);

  /// Ends the study where it stands; nothing more is run.
  Expected<void> close();

 private:
  Expected<RunTrial> begin(const PendingTrial& pending);
  Expected<CourseStep> take(const NextStep& next, const BudgetLeft& left);
  bool may_plan_ahead(const NextStep& next) const;
  Expected<void> plan(const RunBlock& block);
  Expected<Recorded> decide(std::vector<Decision> decisions, const BudgetLeft& left);

  StudyView study_;
  Recorder* recorder_;
  std::set<std::int64_t> out_;
  SurrogateMemory memory_;
};

/// Whether the study has its verdict and nothing is left to do under its present budget.
bool is_over(const StudyView& study, std::optional<double> trials_by_time = std::nullopt);

}  // namespace netsettle::strategies
