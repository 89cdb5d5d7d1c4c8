#pragma once
// Whether the pilot's equal trials look like trials of one machine in one state. Nothing here stops a study: it says what to expect of the
// night.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/statistics/modes.hpp"
#include "strategies/statistics/unpaired.hpp"

namespace netsettle::strategies {

enum class PilotFinding {
  noisy,          // the coefficient of variation is above 15 %
  halves_differ,  // the A/A test: the two blocks of the pilot differ at p < 0.01
  two_modes,      // the trials fall into two distinct groups
  correlated      // neighbouring trials resemble each other more than by chance (1 %)
};
std::string_view to_text(PilotFinding finding);  // stored: "noisy", "halves-differ", "two-modes", "correlated"

struct PilotHealth {
  double variation = 0;                         // coefficient of variation
  std::optional<UnpairedComparison> halves;     // second block against the first; absent where there are no two blocks with a spread
  std::optional<double> neighbour_correlation;  // lag 1, in the order in which they ran
  std::optional<TwoModes> modes;                // of the logarithms; absent below 8 trials
  std::vector<PilotFinding> findings;           // in the order of the enumeration; empty: nothing is wrong
};

/// Of the measured pilot trials; absent below two of them or where the mean is not positive.
std::optional<PilotHealth> pilot_health(const StudyView& study);

/// One plain sentence about what is wrong and what it means for the study; empty where nothing is.
std::string warning_of(const PilotHealth& health);

}  // namespace netsettle::strategies
