#pragma once
// What a person (or a log) is told while a study runs. The loop calls, the command line prints.

#include <string>

#include "datasets/model/study_view.hpp"
#include "tuner/report/progress.hpp"

namespace netsettle::tuner {

class Observer {
 public:
  virtual ~Observer() = default;
  /// A sentence worth a line of its own: what was restored, resumed, dropped, decided.
  virtual void note(const std::string& sentence) = 0;
  /// A trial has entered a state: applying, warmup, measuring.
  virtual void progress(const Progress& progress, TrialState state) = 0;
  virtual void trial_ended(const Trial& trial, const Progress& progress, const StudyView& study) = 0;
};

}  // namespace netsettle::tuner
