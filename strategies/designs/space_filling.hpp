#pragma once
// Points that fill the unit cube more evenly than random ones, and configurations from them.

#include <boost/random/sobol.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategies/designs/random.hpp"
#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

/// The Sobol sequence (Joe & Kuo 2008, from Boost.Random) with Owen's nested uniform scramble, drawn from the seed by the hash of Laine &
/// Karras (2011). The first point is part of it: any 2^m points in a row from the beginning are a net.
class ScrambledSobol {
 public:
  /// 1 to 3667 dimensions.
  ScrambledSobol(std::size_t dimensions, std::uint64_t seed);

  /// The next point, in [0, 1).
  CubePoint next();

 private:
  boost::random::sobol_engine<std::uint32_t, 32> engine_;
  std::vector<std::uint32_t> seeds_;  // one a dimension
  bool first_ = true;
};

/// `points` points: on each axis one in each of as many equal parts (McKay, Beckman & Conover 1979), at a random place in it.
std::vector<CubePoint> latin_hypercube(std::size_t points, std::size_t dimensions, Random& random);

enum class Filling { sobol, latin_hypercube };

/// Up to `count` different configurations from a design over the active space, as-found and special values with their usual shares. A point
/// that violates the constraints, or is another's configuration or the baseline, is replaced by the next of a Sobol sequence; fewer where a
/// hundred times as many points give no more.
std::vector<Configuration> space_filling(const SearchSpace& space, std::size_t count, std::uint64_t seed, Filling filling);

}  // namespace netsettle::strategies
