#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/morris.hpp"
#include "strategies/search/screening_plan.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kUnknownNoise = 0.05;
constexpr double kRare = 1.3;  // standard deviations: about one in ten beyond
constexpr std::size_t kLeastKept = 2;

/// ln(objective) of each configuration in a block, by canonical text.
struct BlockValues {
  int block = 0;
  std::map<std::string, double> values;
};

std::vector<BlockValues> values_of(const StudyView& study) {
  std::map<std::int64_t, std::string> texts;
  for (const StudyConfiguration& known : study.configurations) texts[known.id] = canonical_text(known.configuration);
  std::vector<BlockValues> all;
  for (const Block& block : only(blocks_of(study), Purpose::search)) {
    BlockValues in_block{.block = block.number, .values = {}};
    for (const Trial* trial : block.trials)
      if (const auto value = objective_of(study.experiment, *trial)) in_block.values[texts[trial->configuration_id]] = std::log(*value);
    all.push_back(std::move(in_block));
  }
  return all;
}

/// The effect in logarithms, with its half-width.
ScreenedEffect effect_of(const std::string& parameter, int n, double mean, double half_width, double strength) {
  return {.parameter = parameter,
          .n = n,
          .estimate = std::expm1(mean),
          .low = std::expm1(mean - half_width),
          .high = std::expm1(mean + half_width),
          .strength = std::expm1(strength)};
}

double t_quantile(double degrees) { return boost::math::quantile(boost::math::students_t(degrees), 0.975); }

/// The measured runs of a two-level plan as equations: one column a block, one a factor (-1/2, 1/2).
struct Equations {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
  Eigen::Index blocks = 0;
};

Equations equations_of(const ScreeningPlan& plan, const std::vector<BlockValues>& blocks) {
  std::vector<std::pair<const ScreeningRun*, double>> measured;
  std::vector<Eigen::Index> block_of;
  Eigen::Index columns = 0;
  for (const BlockValues& block : blocks) {
    const std::size_t before = measured.size();
    for (const ScreeningRun& run : plan.runs)
      if (const auto found = block.values.find(canonical_text(run.configuration)); found != block.values.end()) {
        measured.emplace_back(&run, found->second);
        block_of.push_back(columns);
      }
    if (measured.size() > before) ++columns;
  }
  const auto rows = std::ssize(measured), factors = plan.runs.empty() ? 0 : std::ssize(plan.runs.front().point);
  Equations equations{.x = Eigen::MatrixXd::Zero(rows, columns + factors), .y = Eigen::VectorXd(rows), .blocks = columns};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const auto& [run, value] = measured[static_cast<std::size_t>(row)];
    equations.y(row) = value;
    equations.x(row, block_of[static_cast<std::size_t>(row)]) = 1;
    for (Eigen::Index factor = 0; factor < factors; ++factor)
      equations.x(row, columns + factor) = run->point[static_cast<std::size_t>(factor)] > 0.5 ? 0.5 : -0.5;
  }
  return equations;
}

std::vector<ScreenedEffect> by_least_squares(const UnitCube& cube, const ScreeningPlan& plan, const std::vector<BlockValues>& blocks) {
  const Equations equations = equations_of(plan, blocks);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(equations.x);
  const auto degrees = equations.x.rows() - equations.x.cols();
  if (degrees < 1 || qr.rank() < equations.x.cols()) return {};
  const Eigen::VectorXd solution = qr.solve(equations.y);
  const double variance = (equations.y - equations.x * solution).squaredNorm() / static_cast<double>(degrees);
  const Eigen::LLT<Eigen::MatrixXd> normal(equations.x.transpose() * equations.x);
  const Eigen::MatrixXd inverse = normal.solve(Eigen::MatrixXd::Identity(equations.x.cols(), equations.x.cols()));
  std::vector<ScreenedEffect> effects;
  for (std::size_t axis = 0; axis < cube.size(); ++axis) {
    const Eigen::Index column = equations.blocks + static_cast<Eigen::Index>(axis);
    const double error = std::sqrt(variance * inverse(column, column)), estimate = solution(column);
    effects.push_back(effect_of(cube.name(axis), static_cast<int>(equations.x.rows()), estimate,
                                t_quantile(static_cast<double>(degrees)) * error, std::abs(estimate)));
    effects.back().matters = std::abs(estimate) > kRare * error;
  }
  return effects;
}

/// Elementary effects of each path from the block that holds most of it.
std::vector<ElementaryEffect> effects_along_paths(const ScreeningPlan& plan, const std::vector<BlockValues>& blocks) {
  std::map<int, std::vector<const ScreeningRun*>> paths;
  for (const ScreeningRun& run : plan.runs) paths[run.group].push_back(&run);
  std::vector<ElementaryEffect> effects;
  for (const auto& [group, runs] : paths) {
    std::vector<CubePoint> points;
    for (const ScreeningRun* run : runs) points.push_back(run->point);
    std::vector<ElementaryEffect> best;
    for (const BlockValues& block : blocks) {
      std::vector<std::optional<double>> results;
      for (const ScreeningRun* run : runs) {
        const auto found = block.values.find(canonical_text(run->configuration));
        results.push_back(found == block.values.end() ? std::nullopt : std::optional(found->second));
      }
      auto here = elementary_effects(points, results);
      if (here.size() > best.size()) best = std::move(here);
    }
    effects.insert(effects.end(), best.begin(), best.end());
  }
  return effects;
}

std::vector<ScreenedEffect> by_paths(const StudyView& study, const UnitCube& cube, const ScreeningPlan& plan,
                                     const std::vector<BlockValues>& blocks) {
  constexpr double kStep = 2.0 / 3;                         // of an axis: effects are per unit
  constexpr double kMeanSize = 0.798, kSizeSpread = 0.603;  // of |N(0, 1)|
  const double noise = std::sqrt(2.0) * pilot_noise(study).value_or(kUnknownNoise);
  const auto measures = morris_measures(cube.size(), effects_along_paths(plan, blocks));
  std::vector<ScreenedEffect> effects;
  for (std::size_t axis = 0; axis < cube.size(); ++axis) {
    const MorrisMeasures& of_axis = measures[axis];
    if (of_axis.n < 2) return {};
    const double root = std::sqrt(static_cast<double>(of_axis.n));
    const double half_width = t_quantile(of_axis.n - 1) * kStep * of_axis.spread / root;
    const double size = kStep * of_axis.mean_absolute;
    effects.push_back(effect_of(cube.name(axis), of_axis.n, kStep * of_axis.mean, half_width, size));
    effects.back().matters = size > noise * (kMeanSize + kRare * kSizeSpread / root);
  }
  return effects;
}

}  // namespace

std::vector<ScreenedEffect> screening_effects(const StudyView& study) {
  const auto plan = screening_plan(study);
  if (!plan) return {};
  const UnitCube cube(study.space);
  const auto blocks = values_of(study);
  std::vector<ScreenedEffect> effects =
      plan->design == ScreeningDesign::morris ? by_paths(study, cube, *plan, blocks) : by_least_squares(cube, *plan, blocks);
  std::ranges::stable_sort(effects, std::greater{}, &ScreenedEffect::strength);
  for (std::size_t i = 0; i < std::min(kLeastKept, effects.size()); ++i) effects[i].matters = true;
  return effects;
}

}  // namespace netsettle::strategies
