#pragma once
// A search space as the unit cube: one axis a parameter, configurations ↔ points. For designs and strategies that think in numbers.
//
// An axis is divided into cells. Levels and whole numbers have a cell each, in their order; on a logarithmic scale only readable numbers
// (two significant digits) and the value found have one. A real range is one cell, and the place within it is the number. Special values
// outside the range, and as-found where its value is unknown or outside, have cells of their own at the end where they belong.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/model/search_space.hpp"
#include "strategies/designs/cube_axis.hpp"

namespace netsettle::strategies {

using CubePoint = std::vector<double>;

/// The shares that random configurations have by default (SampleOptions).
inline constexpr CubeShares kSampleShares{.as_found = 0.15, .special = 0.17};

class UnitCube {
 public:
  /// `space` must outlive this.
  explicit UnitCube(const SearchSpace& space, const CubeShares& shares = {});

  /// Number of axes, in the order of the space's domains.
  std::size_t size() const { return axes_.size(); }
  /// The parameter of an axis.
  const std::string& name(std::size_t axis) const { return axes_[axis].name; }
  /// Whether neighbouring cells are alike (numbers). False for categories, CPU lists and booleans.
  bool is_ordered(std::size_t axis) const { return axes_[axis].ordered; }

  /// The canonical configuration of a point (coordinates outside 0..1 count as the nearest end): inactive parameters dropped. nullopt where
  /// it does not satisfy the constraints.
  std::optional<Configuration> at(std::span<const double> point) const;
  /// The middle of each value's cell; for an inactive parameter that of as-found.
  CubePoint point_of(const Configuration& configuration) const;

  /// The part of an axis around a coordinate in which the value is the same; nullopt within a real range.
  struct Cell {
    double low = 0, high = 1;
  };
  std::optional<Cell> cell(std::size_t axis, double coordinate) const;
  /// The middles of the cells that have one value, upwards: a real range has none.
  std::vector<double> middles(std::size_t axis) const;

 private:
  const SearchSpace* space_;
  std::vector<CubeAxis> axes_;
};

}  // namespace netsettle::strategies
