#pragma once
// The measuring window of a load's series.

#include <optional>
#include <vector>

#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

struct WindowRate {
  double qps = 0;        // mean over the window, weighted by time
  double covered_s = 0;  // how much of the window the series covers
};

/// The rate from `warmup_s` to `warmup_s + measure_s` after the load's start; without an end where `measure_s` is 0. Times are ends of
/// intervals; the first interval is taken to be as long as the second, so the load started one such length before the first time. A bogus
/// first interval is left out. nullopt where no interval reaches into the window or there are fewer than two (the length is unknown then).
std::optional<WindowRate> window_rate(const std::vector<Interval>& intervals, double warmup_s, double measure_s, std::size_t skip);

}  // namespace netsettle::strategies
