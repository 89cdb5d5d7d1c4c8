#pragma once
// What a running study says: one line that is overwritten on a terminal, or a line a trial elsewhere.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "datasets/model/study_view.hpp"

namespace netsettle::tuner {

struct Progress {
  Purpose phase = Purpose::search;
  std::string step;           // "warm-up", "measuring"; may be empty
  int trial = 0;              // the running one, counted from 1
  std::optional<int> trials;  // planned; absent where only the clock ends the study
  std::optional<std::chrono::seconds> left;
  std::optional<std::pair<std::int64_t, double>> best;  // strategies::best_so_far
  std::string metric = "qps";
};

/// "search: trial 17 of 46 (measuring), 8 min left, best so far configuration 5 with 54,100 qps", without newline, cut to `width` columns.
std::string progress_line(const Progress& progress, std::size_t width);

/// "trial 17 of 46, search: configuration 5 (processes=2): 54,100 qps, suspect (window-limited)", or in sentences why there is no number;
/// with newline.
std::string trial_line(const StudyView& study, const Trial& trial, std::optional<int> trials);

}  // namespace netsettle::tuner
