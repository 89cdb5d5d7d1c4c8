#pragma once
// A machine made of a record: what was measured is taken for the truth, so that other strategies can be tried on it. It is smoother than
// the real one, and knows nothing of where nobody measured.

#include "strategies/worlds/test_bed.hpp"

namespace netsettle::strategies {

/// The truth of a configuration is the mean of ln(objective) of the recorded ones, each weighted by its trials and by its nearness
/// (Nadaraya 1964; a Gaussian kernel over surrogate/features.hpp, as wide as half the median distance to the nearest other configuration).
/// The noise is drawn from the residuals of the configurations that were measured twice or more. A configuration fails where the nearest
/// recorded one does (it was never measured, and failed). The optimum is the best of the recorded configurations and of 2,000 random ones.
/// `subject_to` and the budget are left out, as only the objective is simulated. not_found: too little was measured, and the text says of
/// what.
Expected<TestMachine> recorded_machine(const StudyView& study);

}  // namespace netsettle::strategies
