#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

UnitCube::UnitCube(const SearchSpace& space, const CubeShares& shares) : space_(&space) {
  for (const Domain& domain : space.domains()) axes_.push_back(cube_axis(domain, shares));
}

std::optional<Configuration> UnitCube::at(std::span<const double> point) const {
  Configuration configuration;
  for (std::size_t i = 0; i < axes_.size(); ++i) configuration.values[axes_[i].name] = value_at(axes_[i], point[i]);
  auto canonical = space_->canonical(configuration);
  if (!canonical || !space_->satisfies(*canonical)) return std::nullopt;
  return *std::move(canonical);
}

CubePoint UnitCube::point_of(const Configuration& configuration) const {
  CubePoint point;
  for (const CubeAxis& axis : axes_) {
    const auto value = configuration.values.find(axis.name);
    point.push_back(place_of(axis, value == configuration.values.end() ? Value(AsFound{}) : value->second));
  }
  return point;
}

std::optional<UnitCube::Cell> UnitCube::cell(std::size_t axis, double coordinate) const {
  const CubeCell& here = cell_at(axes_[axis], coordinate);
  if (!here.value) return std::nullopt;
  return Cell{.low = here.low, .high = here.high};
}

std::vector<double> UnitCube::middles(std::size_t axis) const {
  std::vector<double> middles;
  for (const CubeCell& cell : axes_[axis].cells)
    if (cell.value) middles.push_back((cell.low + cell.high) / 2);
  return middles;
}

}  // namespace netsettle::strategies
