#pragma once
// One axis of the unit cube: the values of a parameter as cells side by side. Private to this folder; UnitCube is what others use.

#include <optional>
#include <vector>

#include "datasets/model/search_space.hpp"

namespace netsettle::strategies {

/// Shares of an axis that as-found and the special values get in any case, as draw_value gives them. 0: a cell as any other has.
struct CubeShares {
  double as_found = 0;
  double special = 0;  // all special values of the parameter together
};

struct CubeCell {
  double low = 0, high = 1;    // place on the axis
  std::optional<Value> value;  // absent: a real range, and the place within it is the number
};

struct CubeAxis {
  std::string name;
  ParameterType type = ParameterType::integer;
  bool ordered = false;  // neighbouring cells are alike
  bool logarithmic = false;
  double range_low = 0, range_high = 0;
  std::optional<Value> as_found;
  std::vector<CubeCell> cells;  // from 0 to 1 without gaps, at least one
};

CubeAxis cube_axis(const Domain& domain, const CubeShares& shares);

/// The cell of a coordinate; outside 0..1 the nearest one.
const CubeCell& cell_at(const CubeAxis& axis, double coordinate);

/// The value at a coordinate.
Value value_at(const CubeAxis& axis, double coordinate);

/// The middle of a value's cell, or the place of a number in a range; 0.5 for a value that the axis does not have.
double place_of(const CubeAxis& axis, const Value& value);

}  // namespace netsettle::strategies
