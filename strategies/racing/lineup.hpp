#pragma once
// Which of the candidates become finalists.

#include <vector>

#include "strategies/search/standing.hpp"

namespace netsettle::strategies {

/// At most `most` of the candidates, in their order (the most promising first), without those that are all but the same as one before them:
/// the same levels, and all numbers within 2 % of their ranges. Where the baseline is restless they are as different as the candidates
/// allow: numbers within 10 % are all but the same, and the last of three or more has other levels than the first, so that not all of them
/// share one secret, such as a hash that puts flows on a busy core now and then. Elsewhere neighbours average out the luck of the first.
std::vector<Standing> lineup(const StudyView& study, const std::vector<Standing>& candidates, std::size_t most);

}  // namespace netsettle::strategies
