#pragma once
// Configurations near one: a single parameter changed, or what two good ones have put together.

#include <set>
#include <string>
#include <vector>

#include "strategies/designs/random.hpp"
#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

/// One parameter changed: a number by 50, 20, 7 and 2 % of its axis up and down, at least to the next value; anything else to each of its
/// other values. `axes`: the parameters that may change. The larger steps first, each size in random order. All are different, none is in
/// `known`, each satisfies the constraints. What becomes active has the value found.
std::vector<Configuration> neighbours_of(const UnitCube& cube, const Configuration& centre, const std::vector<std::size_t>& axes,
                                         const std::set<std::string>& known, Random& random);

/// `better` with what `other` changed and `better` did not, both compared with where they came from; nullopt where that violates the
/// constraints.
std::optional<Configuration> combined(const SearchSpace& space, const Configuration& origin, const Configuration& better,
                                      const Configuration& other);

/// All axes of a cube.
std::vector<std::size_t> all_axes(const UnitCube& cube);

}  // namespace netsettle::strategies
