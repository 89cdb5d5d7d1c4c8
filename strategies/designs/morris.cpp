#include "strategies/designs/morris.hpp"

#include <cmath>

namespace netsettle::strategies {
namespace {

constexpr int kStepLevels = kMorrisLevels / 2;

}  // namespace

std::vector<CubePoint> morris_trajectory(std::size_t dimensions, Random& random) {
  std::vector<std::size_t> order(dimensions);
  std::vector<int> level(dimensions);
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    order[axis] = axis;
    level[axis] = static_cast<int>(random.integer(0, kMorrisLevels - 1));
  }
  shuffle(order, random);
  const auto point = [&] {
    CubePoint coordinates;
    for (const int at : level) coordinates.push_back(static_cast<double>(at) / (kMorrisLevels - 1));
    return coordinates;
  };
  std::vector<CubePoint> path{point()};
  for (const std::size_t axis : order) {
    level[axis] += level[axis] < kStepLevels ? kStepLevels : -kStepLevels;
    path.push_back(point());
  }
  return path;
}

std::vector<ElementaryEffect> elementary_effects(const std::vector<CubePoint>& path, const std::vector<std::optional<double>>& results) {
  std::vector<ElementaryEffect> effects;
  for (std::size_t step = 1; step < path.size(); ++step) {
    if (!results[step - 1] || !results[step]) continue;
    std::optional<std::size_t> changed;
    int changes = 0;
    for (std::size_t axis = 0; axis < path[step].size(); ++axis) {
      if (path[step][axis] == path[step - 1][axis]) continue;
      changed = axis;
      ++changes;
    }
    if (changes != 1) continue;
    const double length = path[step][*changed] - path[step - 1][*changed];
    effects.push_back({.axis = *changed, .value = (*results[step] - *results[step - 1]) / length});
  }
  return effects;
}

std::vector<MorrisMeasures> morris_measures(std::size_t dimensions, const std::vector<ElementaryEffect>& effects) {
  std::vector<MorrisMeasures> measures(dimensions);
  for (const ElementaryEffect& effect : effects) {
    MorrisMeasures& of_axis = measures[effect.axis];
    ++of_axis.n;
    of_axis.mean += effect.value;
    of_axis.mean_absolute += std::abs(effect.value);
  }
  for (MorrisMeasures& of_axis : measures) {
    if (of_axis.n == 0) continue;
    of_axis.mean /= of_axis.n;
    of_axis.mean_absolute /= of_axis.n;
  }
  for (const ElementaryEffect& effect : effects) {
    const double away = effect.value - measures[effect.axis].mean;
    measures[effect.axis].spread += away * away;
  }
  for (MorrisMeasures& of_axis : measures) of_axis.spread = of_axis.n < 2 ? 0 : std::sqrt(of_axis.spread / (of_axis.n - 1));
  return measures;
}

}  // namespace netsettle::strategies
