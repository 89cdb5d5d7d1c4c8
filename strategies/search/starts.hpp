#pragma once
// What a strategy asks first: which configurations are not new any more, and which of search.start are still to be tried.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "strategies/search/strategy.hpp"

namespace netsettle::strategies {

/// Canonical texts of the baseline and of every configuration with a search trial, ended or not.
std::set<std::string> tried_texts(const StudyView& study);

/// Canonical texts of the configurations that failed in the search.
std::set<std::string> failed_texts(const StudyView& study);

/// A start configuration with what it does not mention left as found; nullopt where it is not in the space.
std::optional<Configuration> completed(const SearchSpace& space, const Configuration& start);

/// Adds those of search.start that `known` does not have, up to `count` proposals, and makes them known.
void add_starts(const StudyView& study, std::size_t count, std::set<std::string>& known, std::vector<Proposal>& proposals);

}  // namespace netsettle::strategies
