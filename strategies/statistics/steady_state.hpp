#pragma once
// Whether the pieces of a series end in a steady state.

#include <cstddef>
#include <optional>
#include <span>

#include "strategies/statistics/change_points.hpp"

namespace netsettle::strategies {

/// Of rates: more is better.
enum class SteadyClass {
  flat,            // all pieces equal the last one
  warmup,          // steady at the end, and lower before
  slowdown,        // steady at the end, and higher at some time before
  no_steady_state  // what equals the last piece is too short to be called a state
};

struct SteadyRule {
  double deviations = 1;      // half of a piece's band, in its standard deviations
  double delta = 0.001;       // by which the last piece's band is widened, relative to its mean
  double least_share = 0.25;  // of the points, that the last equal pieces must have
};

struct SteadyState {
  SteadyClass kind = SteadyClass::flat;
  std::size_t begin = 0;              // first point of the last pieces that equal the last one
  double mean = 0;                    // of those pieces
  std::optional<double> mean_before;  // of the piece just before them; absent where they are all
};

/// The rule of Barrett et al. (OOPSLA 2017; statistics.md 1.3): a piece equals the last one where its mean ± band meets the last piece's
/// mean ± (band + delta × |mean|). Band here is a number of standard deviations and not the variance as in the paper, so that the unit does
/// not matter; the paper's "last 500 of 2000" is `least_share`. Absent for no pieces.
std::optional<SteadyState> steady_state(std::span<const Segment> segments, const SteadyRule& rule = {});

}  // namespace netsettle::strategies
