#pragma once
// Configurations near others: what a search looks at before it decides. All are canonical and satisfy the constraints.

#include <optional>

#include "datasets/model/search_space.hpp"
#include "strategies/designs/random.hpp"

namespace netsettle::strategies {

/// One to three parameters changed: a number by a step of 3, 10 or 30 % of its range (standard deviation), anything else to another value.
/// A parameter that becomes active gets a random value. nullopt where ten attempts violate the constraints.
std::optional<Configuration> mutated(const SearchSpace& space, const Configuration& parent, Random& random);

/// Each parameter from one of the two, with equal probability.
std::optional<Configuration> crossed(const SearchSpace& space, const Configuration& one, const Configuration& other, Random& random);

}  // namespace netsettle::strategies
