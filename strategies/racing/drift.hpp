#pragma once
// What the baseline's trials show about the machine itself: whether it drifted or changed in a step. Changes no claim: within a block a
// step meets all configurations alike.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/statistics/drift.hpp"

namespace netsettle::strategies {

/// The measured trials of the baseline in the order in which they ran, those of other studies left out.
struct BaselineSeries {
  std::vector<const Trial*> trials;  // borrowed from the study
  std::vector<double> logs;          // ln(objective), more is better
};
BaselineSeries baseline_series(const StudyView& study);

struct BaselineDrift {
  int n = 0;                   // trials
  std::optional<Trend> trend;  // of ln(objective) over the study's trials: a slope of 0.001 is +0.1 % a trial
  std::vector<Step> steps;     // `at` counts in the baseline's series
};
/// Steps above twice the pilot's noise at p <= 0.001 (statistics.md 1.3).
BaselineDrift baseline_drift(const StudyView& study);

/// One decision (kind drift, method "e-divisive-t") for each step that is not recorded yet: effect = what equal trials gained by it, n =
/// trials of the baseline; the inputs name the trials on both sides. Empty where the machine was steady.
std::vector<Decision> drift_decisions(const StudyView& study);

/// A drift decision in a sentence.
std::string drift_note(const Decision& decision);

}  // namespace netsettle::strategies
