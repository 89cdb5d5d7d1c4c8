#pragma once
// Shares of the variance of a function of independent inputs (Sobol 1993): what each input explains alone, and with all its interactions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

/// One value an input, as shares of the variance: `first` of the input alone, `total` with every interaction it takes part in.
struct SobolIndices {
  std::vector<double> first, total;
};

/// The points at which the function has to be known (Saltelli 2002): two independent designs A and B, and for each input A with that
/// input's column of B. One design serves several functions.
class SaltelliDesign {
 public:
  /// `rows`: a power of two is best; rows × (inputs + 2) points, from a scrambled Sobol sequence.
  SaltelliDesign(std::size_t inputs, std::size_t rows, std::uint64_t seed);

  /// In [0, 1).
  const std::vector<CubePoint>& points() const { return points_; }

  /// `values`: one a point; NaN where the function is not defined, which leaves out what it would be compared with. First order by
  /// Saltelli et al. 2010, total by Jansen 1999, both kept within 0 and 1. nullopt where the function does not vary (or is hardly defined
  /// anywhere).
  std::optional<SobolIndices> indices(std::span<const double> values) const;

 private:
  std::size_t inputs_, rows_;
  std::vector<CubePoint> points_;  // A, B, then A with column 0 of B, …
};

}  // namespace netsettle::strategies
