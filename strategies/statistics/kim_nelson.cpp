#include "strategies/statistics/kim_nelson.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kSmallestDelta = 1e-12;
constexpr double kJustAbove = 1 + 1e-9;
constexpr double kMostBlocks = 1e9;

/// W of a pair, in sums of values.
double boundary(double h2, double variance, double delta, double blocks) {
  return std::max(0.0, h2 * variance / (2 * delta) - delta * blocks / 2);
}

/// Sums of values after each block, and the variance of each pair's differences over the first blocks. An arm's sums end with its values.
struct Paths {
  std::size_t arms = 0;
  std::vector<std::vector<double>> sums;  // [arm][blocks - 1]
  std::vector<double> variances;          // arms × arms
  double h2 = 0;

  double variance(std::size_t i, std::size_t l) const { return variances[i * arms + l]; }
  bool has(std::size_t arm, int blocks) const { return std::ssize(sums[arm]) >= blocks; }
  double mean(std::size_t arm, int blocks) const { return sums[arm][static_cast<std::size_t>(blocks - 1)] / blocks; }
};

/// Of the differences over the first blocks, pooled with what was borrowed; 0 for arms that have not so many values.
double pair_variance(std::span<const ArmValues> first, std::size_t i, std::size_t l, std::size_t arms, const KimNelsonPlan& plan) {
  std::vector<double> differences;
  for (const ArmValues& block : first)
    if (block[i] && block[l]) differences.push_back(*block[i] - *block[l]);
  if (differences.size() < first.size()) return 0;
  const double own = std::pow(*summarise_values(differences)->standard_deviation, 2);
  if (!plan.borrowed) return own;
  const double freedom = static_cast<double>(first.size()) - 1;
  return (freedom * own + plan.borrowed->freedom * plan.borrowed->of_differences[i * arms + l]) / (freedom + plan.borrowed->freedom);
}

Paths paths_of(std::span<const ArmValues> blocks, std::size_t arms, const KimNelsonPlan& plan, double h2) {
  Paths paths{.arms = arms, .sums = std::vector<std::vector<double>>(arms), .variances = std::vector<double>(arms * arms), .h2 = h2};
  for (std::size_t arm = 0; arm < arms; ++arm) {
    double sum = 0;
    for (const ArmValues& block : blocks) {
      if (!block[arm]) break;
      paths.sums[arm].push_back(sum += *block[arm]);
    }
  }
  const auto n0 = static_cast<std::size_t>(plan.first_blocks);
  if (blocks.size() < n0) return paths;
  for (std::size_t i = 0; i < arms; ++i)
    for (std::size_t l = 0; l < arms; ++l)
      if (i != l) paths.variances[i * arms + l] = pair_variance(blocks.first(n0), i, l, arms, plan);
  return paths;
}

/// How far the arm is behind the one that beats it most clearly; nullopt where none does.
std::optional<KimNelsonLeave> beaten(const Paths& paths, std::size_t arm, std::span<const std::size_t> live, int blocks, double delta) {
  std::optional<KimNelsonLeave> found;
  for (const std::size_t other : live) {
    if (other == arm) continue;
    const double limit = boundary(paths.h2, paths.variance(arm, other), delta, blocks) / blocks;
    const double behind = paths.mean(other, blocks) - paths.mean(arm, blocks);
    const bool last_of_equals = limit == 0 && behind == 0 && other < arm;
    if (behind <= limit && !last_of_equals) continue;
    if (!found || behind - limit > found->behind - found->boundary)
      found = {.arm = arm, .by = other, .block = blocks, .behind = behind, .boundary = limit};
  }
  return found;
}

struct Race {
  std::vector<KimNelsonLeave> left;
  std::vector<std::size_t> live;
};

/// What an arm without a value in a block means.
enum class Missing {
  withdrawn,  // it leaves
  unknown     // it is not compared any more but cannot be excluded
};

Race run(const Paths& paths, int blocks, int first_blocks, double delta, std::span<const Missing> missing) {
  Race race;
  std::vector<std::size_t> unknown;
  for (std::size_t arm = 0; arm < paths.arms; ++arm) race.live.push_back(arm);
  for (int r = 1; r <= blocks; ++r) {
    for (const std::size_t arm : std::vector(race.live)) {
      if (paths.has(arm, r)) continue;
      std::erase(race.live, arm);
      if (missing[arm] == Missing::unknown)
        unknown.push_back(arm);
      else
        race.left.push_back({.arm = arm, .by = std::nullopt, .block = r - 1});
    }
    if (r < first_blocks) continue;
    const std::vector<std::size_t> before = race.live;
    for (const std::size_t arm : before) {
      const auto leave = beaten(paths, arm, before, r, delta);
      if (!leave) continue;
      race.left.push_back(*leave);
      std::erase(race.live, arm);
    }
  }
  race.live.insert(race.live.end(), unknown.begin(), unknown.end());
  std::ranges::sort(race.live);
  return race;
}

std::size_t best_of(const Paths& paths, std::span<const std::size_t> live) {
  std::size_t best = live.empty() ? 0 : live.front();
  for (const std::size_t arm : live) {
    const int blocks = static_cast<int>(std::min(paths.sums[arm].size(), paths.sums[best].size()));
    if (blocks > 0 && paths.mean(arm, blocks) > paths.mean(best, blocks)) best = arm;
  }
  return best;
}

/// The first number of blocks at which W is 0 for all pairs.
int most_blocks(const Paths& paths, const KimNelsonPlan& plan) {
  const double largest = *std::ranges::max_element(paths.variances);
  const double most = std::ceil(paths.h2 * largest / (plan.delta * plan.delta));
  return static_cast<int>(std::clamp(most, static_cast<double>(plan.first_blocks), kMostBlocks));
}

bool fits(std::span<const ArmValues> blocks, std::size_t arms, const KimNelsonPlan& plan) {
  if (plan.first_blocks < 2 || !(plan.delta > 0)) return false;
  if (plan.borrowed && plan.borrowed->of_differences.size() != arms * arms) return false;
  return std::ranges::all_of(blocks, [arms](const ArmValues& block) { return block.size() == arms; });
}

std::optional<KimNelsonConstants> constants_of(std::size_t arms, const KimNelsonPlan& plan) {
  return kim_nelson_constants(arms, plan.alpha, plan.first_blocks - 1 + (plan.borrowed ? plan.borrowed->freedom : 0));
}

/// The deltas at which some pair would just be told apart after some block, rising.
std::vector<double> critical_deltas(const Paths& paths, int blocks, int first_blocks) {
  std::vector<double> deltas{kSmallestDelta};
  for (int r = first_blocks; r <= blocks; ++r)
    for (std::size_t i = 0; i < paths.arms; ++i)
      for (std::size_t l = 0; l < paths.arms; ++l) {
        if (i == l || !paths.has(i, r) || !paths.has(l, r)) continue;
        const double behind = paths.mean(l, r) - paths.mean(i, r);
        if (behind <= 0) continue;
        // r behind = W solved for delta, in the form that loses no digits.
        const double share = paths.h2 * paths.variance(i, l) / r;
        const double delta = share / (behind + std::sqrt(behind * behind + share));
        deltas.push_back(std::max(kSmallestDelta, delta * kJustAbove));
      }
  std::ranges::sort(deltas);
  deltas.erase(std::unique(deltas.begin(), deltas.end()), deltas.end());
  return deltas;
}

}  // namespace

BorrowedVariance borrowed_noise(std::size_t arms, double noise, double freedom) {
  return {.freedom = freedom, .of_differences = std::vector<double>(arms * arms, 2 * noise * noise)};
}

std::optional<KimNelsonConstants> kim_nelson_constants(std::size_t arms, double alpha, double freedom) {
  if (arms < 2 || !(freedom >= 1)) return std::nullopt;
  const double share = 2 * alpha / static_cast<double>(arms - 1);
  if (!(share > 0 && share < 1)) return std::nullopt;
  const double eta = std::expm1(-2 / freedom * std::log(share)) / 2;
  return KimNelsonConstants{.freedom = freedom, .eta = eta, .h2 = 2 * eta * freedom};
}

std::optional<KimNelsonResult> kim_nelson(std::span<const ArmValues> blocks, std::size_t arms, const KimNelsonPlan& plan) {
  const auto constants = constants_of(arms, plan);
  if (!constants || !fits(blocks, arms, plan)) return std::nullopt;
  const Paths paths = paths_of(blocks, arms, plan, constants->h2);
  const int n = static_cast<int>(blocks.size());
  Race race = run(paths, n, plan.first_blocks, plan.delta, std::vector(arms, Missing::withdrawn));
  KimNelsonResult result{.constants = *constants,
                         .blocks = n,
                         .left = std::move(race.left),
                         .survivors = std::move(race.live),
                         .leader = 0,
                         .most_blocks = std::nullopt};
  result.leader = best_of(paths, result.survivors);
  if (n >= plan.first_blocks) result.most_blocks = most_blocks(paths, plan);
  return result;
}

std::optional<AchievedDelta> achieved_delta(std::span<const ArmValues> blocks, std::size_t arms, const KimNelsonPlan& plan) {
  const auto result = kim_nelson(blocks, arms, plan);
  if (!result || result->blocks < plan.first_blocks) return std::nullopt;
  const Paths paths = paths_of(blocks, arms, plan, result->constants.h2);
  std::vector<Missing> missing(arms, Missing::unknown);
  for (const KimNelsonLeave& leave : result->left)
    if (!leave.by) missing[leave.arm] = Missing::withdrawn;
  for (const double delta : critical_deltas(paths, result->blocks, plan.first_blocks)) {
    const Race race = run(paths, result->blocks, plan.first_blocks, delta, missing);
    if (race.live.size() == 1) return AchievedDelta{.delta = delta, .arm = race.live.front()};
  }
  return std::nullopt;
}

std::optional<double> kim_nelson_delta(double noise, std::size_t arms, int trials, double alpha, double freedom) {
  const auto constants = kim_nelson_constants(arms, alpha, freedom);
  if (!constants || !(noise > 0) || trials < 1) return std::nullopt;
  return noise * std::sqrt(0.9 * static_cast<double>(arms) * constants->h2 / trials);
}

}  // namespace netsettle::strategies
