#pragma once
// A fixed list of configurations, each measured search.repeats times: what a sweep and a list by hand have in common.

#include <string>
#include <vector>

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

/// Those of the list that have fewer trials of this study's search than search.repeats and never failed. Where `count` does not hold all of
/// them, the ones never tried come first, and there are no repeats.
std::vector<Proposal> repeats_of(const StudyView& study, std::vector<Configuration> list, const std::string& origin, int count);

}  // namespace netsettle::strategies
