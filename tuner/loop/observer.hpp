#pragma once
// What a person (or a log) is told while a study runs. The loop calls, the command line prints.

#include <cstdint>
#include <optional>
#include <string>

#include "datasets/model/study_view.hpp"
#include "runners/settings/guard.hpp"

namespace netsettle::tuner {

/// Where the study stands at one moment.
struct Progress {
  std::string phase;           // "pilot", "search", "confirm", "waiting for 22:00"
  std::string step;            // "applying", "warm-up", "measuring", ""
  int trial = 0;               // the one under way, 1-based
  std::optional<int> trials;   // of how many
  std::optional<double> seconds_left;
  std::optional<std::pair<std::int64_t, double>> best;  // configuration, objective
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// A sentence worth a line of its own: what was restored, resumed, dropped, decided.
  virtual void note(const std::string& sentence) = 0;
  virtual void progress(const Progress& progress, const StudyView& study) = 0;
  virtual void trial_ended(const Trial& trial, const Progress& progress, const StudyView& study) = 0;
};

}  // namespace netsettle::tuner
