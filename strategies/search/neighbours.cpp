#include "strategies/search/neighbours.hpp"

#include <algorithm>

namespace netsettle::strategies {
namespace {

constexpr double kSteps[] = {0.5, 0.2, 0.07, 0.02};
constexpr std::size_t kFewValues = 6;
constexpr double kBeyond = 1e-9;  // of an axis: on the other side of a border

/// Where a step from `place` leads: into another cell in any case, unless the axis ends.
double stepped(const UnitCube& cube, std::size_t axis, double place, double step) {
  double to = std::clamp(place + step, 0.0, 1.0);
  if (const auto cell = cube.cell(axis, place); cell && to >= cell->low && to <= cell->high)
    to = step > 0 ? cell->high + kBeyond : cell->low - kBeyond;
  return std::clamp(to, 0.0, 1.0);
}

/// All of few values, or of values without an order, belong to the largest step.
std::vector<double> places_to_go(const UnitCube& cube, std::size_t axis, double place, double step) {
  const std::vector<double> middles = cube.middles(axis);
  const bool has_steps = cube.is_ordered(axis) && (middles.size() > kFewValues || !cube.cell(axis, place));
  if (has_steps) return {stepped(cube, axis, place, step), stepped(cube, axis, place, -step)};
  return step == kSteps[0] ? middles : std::vector<double>{};
}

Value value_in(const Configuration& configuration, const std::string& name) {
  const auto found = configuration.values.find(name);
  return found == configuration.values.end() ? Value(AsFound{}) : found->second;
}

}  // namespace

std::vector<Configuration> neighbours_of(const UnitCube& cube, const Configuration& centre, const std::vector<std::size_t>& axes,
                                         const std::set<std::string>& known, Random& random) {
  std::set<std::string> seen = known;
  seen.insert(canonical_text(centre));
  const CubePoint here = cube.point_of(centre);
  std::vector<Configuration> neighbours;
  for (const double step : kSteps) {
    std::vector<Configuration> near;
    for (const std::size_t axis : axes) {
      if (!centre.values.contains(cube.name(axis))) continue;
      for (const double place : places_to_go(cube, axis, here[axis], step)) {
        CubePoint there = here;
        there[axis] = place;
        auto configuration = cube.at(there);
        if (configuration && seen.insert(canonical_text(*configuration)).second) near.push_back(*std::move(configuration));
      }
    }
    shuffle(near, random);
    std::ranges::move(near, std::back_inserter(neighbours));
  }
  return neighbours;
}

std::optional<Configuration> combined(const SearchSpace& space, const Configuration& origin, const Configuration& better,
                                      const Configuration& other) {
  Configuration both;
  for (const Domain& domain : space.domains()) {
    const Value before = value_in(origin, domain.name), kept = value_in(better, domain.name);
    both.values[domain.name] = kept == before ? value_in(other, domain.name) : kept;
  }
  auto canonical = space.canonical(both);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return *std::move(canonical);
}

std::vector<std::size_t> all_axes(const UnitCube& cube) {
  std::vector<std::size_t> axes(cube.size());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
  return axes;
}

}  // namespace netsettle::strategies
