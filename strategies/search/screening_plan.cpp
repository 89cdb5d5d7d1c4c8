#include "strategies/search/screening_plan.hpp"

#include <algorithm>

#include "strategies/designs/morris.hpp"
#include "strategies/designs/two_level.hpp"
#include "strategies/search/plan.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kLowLevel = 0.2, kHighLevel = 0.8;
constexpr int kPairsInBlock = 4;
constexpr int kFewestPaths = 2, kMostPaths = 10;
constexpr int kPathAttempts = 100;
constexpr std::uint64_t kPathSeed = 0x6d6f72726973;  // "morris"

/// Whether two levels say all there is to say and each combination of levels exists.
bool is_two_level(const StudyView& study, const UnitCube& cube) {
  if (!study.experiment.require.empty()) return false;
  for (std::size_t axis = 0; axis < cube.size(); ++axis) {
    if (study.space.is_conditional(cube.name(axis))) return false;
    if (!cube.is_ordered(axis) && cube.middles(axis).size() > 2) return false;
  }
  return true;
}

int folded_runs(std::size_t factors) { return 2 * static_cast<int>(plackett_burman(factors).size()); }

/// Trials with the baseline of each block.
int plackett_burman_trials(std::size_t factors) {
  const int runs = folded_runs(factors), block = 2 * kPairsInBlock;
  return runs + (runs + block - 1) / block;
}

int path_trials(std::size_t dimensions) { return static_cast<int>(dimensions) + 2; }

ScreeningPlan plackett_burman_plan(const UnitCube& cube) {
  ScreeningPlan plan{.design = ScreeningDesign::plackett_burman, .runs = {}, .block_size = 2 * kPairsInBlock};
  int number = 0;
  for (const auto& levels : folded_over(plackett_burman(cube.size()))) {
    CubePoint point;
    for (const bool high : levels) point.push_back(high ? kHighLevel : kLowLevel);
    if (auto configuration = cube.at(point)) plan.runs.push_back({std::move(point), *std::move(configuration), number / 2});
    ++number;
  }
  return plan;
}

/// A path in the space; where the constraints allow none, the one with the most points in it.
std::vector<ScreeningRun> path_in(const UnitCube& cube, int group, std::uint64_t seed) {
  Random random(seed);
  std::vector<ScreeningRun> best;
  for (int attempt = 0; attempt < kPathAttempts && best.size() <= cube.size(); ++attempt) {
    std::vector<ScreeningRun> runs;
    for (CubePoint& point : morris_trajectory(cube.size(), random))
      if (auto configuration = cube.at(point)) runs.push_back({std::move(point), *std::move(configuration), group});
    if (runs.size() > best.size()) best = std::move(runs);
  }
  return best;
}

ScreeningPlan morris_plan(const StudyView& study, const UnitCube& cube, int paths) {
  ScreeningPlan plan{.design = ScreeningDesign::morris, .runs = {}, .block_size = static_cast<int>(cube.size()) + 1};
  const std::uint64_t seed = derive_seed(study.experiment.study.seed, kPathSeed);
  for (int path = 0; path < paths; ++path)
    for (ScreeningRun& run : path_in(cube, path, derive_seed(seed, static_cast<std::uint64_t>(path)))) plan.runs.push_back(std::move(run));
  return plan;
}

}  // namespace

std::optional<ScreeningPlan> screening_plan(const StudyView& study) {
  const UnitCube cube(study.space);
  if (cube.size() == 0) return std::nullopt;
  const int half = plan_budget(study, std::nullopt).search / 2;
  if (is_two_level(study, cube) && plackett_burman_trials(cube.size()) <= half) return plackett_burman_plan(cube);
  const int paths = std::min(kMostPaths, half / path_trials(cube.size()));
  return paths < kFewestPaths ? std::nullopt : std::optional(morris_plan(study, cube, paths));
}

int least_screening_trials(const SearchSpace& space) { return 2 * kFewestPaths * path_trials(space.domains().size()); }

}  // namespace netsettle::strategies
