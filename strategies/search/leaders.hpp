#pragma once
// Measuring again those that may turn out best, so that the one handed to the confirmation is not the luckiest single trial.

#include <optional>
#include <vector>

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

/// Up to `count` configurations by mean + standard deviation of what is believed of them, without those that cannot lead.
std::vector<Proposal> leaders(const StudyView& study, std::size_t count);

/// Of the best `among`, those with fewer than search.repeats trials: what is left to do where nothing new is to be tried.
std::vector<Proposal> leaders_short_of_repeats(const StudyView& study, std::size_t among, std::size_t count);

/// Whether this block is the leaders'. New ones have the first `share` of the search trials; where the clock may end the search, they have
/// that share of the blocks all along.
bool is_leaders_turn(const StudyView& study, double share);

}  // namespace netsettle::strategies
