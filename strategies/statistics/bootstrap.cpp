#include "strategies/statistics/bootstrap.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kLeastBlocks = 10;

std::vector<double> drawn_statistics(std::size_t blocks, const BlockStatistic& statistic, const BootstrapOptions& options) {
  Random random(options.seed);
  std::vector<std::size_t> chosen(blocks);
  std::vector<double> values;
  for (int draw = 0; draw < options.draws; ++draw) {
    std::ranges::generate(chosen, [&] { return random.index(blocks); });
    values.push_back(statistic(chosen));
  }
  std::ranges::sort(values);
  return values;
}

std::vector<std::size_t> all_blocks(std::size_t blocks) {
  std::vector<std::size_t> all(blocks);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// a = sum d³ / (6 (sum d²)^1.5), with d the mean of the values without one block - the value without this block.
double acceleration_of(std::size_t blocks, const BlockStatistic& statistic) {
  std::vector<double> without;
  for (std::size_t left_out = 0; left_out < blocks; ++left_out) {
    std::vector<std::size_t> others = all_blocks(blocks);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    without.push_back(statistic(others));
  }
  const double mean = std::accumulate(without.begin(), without.end(), 0.0) / static_cast<double>(blocks);
  double squares = 0, cubes = 0;
  for (const double value : without) {
    squares += (mean - value) * (mean - value);
    cubes += (mean - value) * (mean - value) * (mean - value);
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

/// Share of the draws below the estimate, those equal to it counted half.
double share_below(std::span<const double> sorted, double estimate) {
  const auto [first, last] = std::ranges::equal_range(sorted, estimate);
  const auto below = static_cast<double>(first - sorted.begin()), equal = static_cast<double>(last - first);
  return (below + equal / 2) / static_cast<double>(sorted.size());
}

double quantile_of(std::span<const double> sorted, double probability) {
  const auto size = static_cast<double>(sorted.size());
  const double rank = std::clamp((size + 1) * probability, 1.0, size);
  const auto below = static_cast<std::size_t>(rank);
  const double rest = rank - std::floor(rank);
  return below < sorted.size() ? sorted[below - 1] + rest * (sorted[below] - sorted[below - 1]) : sorted.back();
}

double mean_of(std::span<const double> values, std::span<const std::size_t> blocks) {
  double sum = 0;
  for (const std::size_t block : blocks) sum += values[block];
  return sum / static_cast<double>(blocks.size());
}

}  // namespace

std::optional<BootstrapInterval> bca_interval(std::size_t blocks, const BlockStatistic& statistic, const BootstrapOptions& options) {
  if (blocks < kLeastBlocks || options.draws < 1) return std::nullopt;
  const double estimate = statistic(all_blocks(blocks));
  const std::vector<double> draws = drawn_statistics(blocks, statistic, options);
  if (!std::isfinite(estimate) || !std::ranges::all_of(draws, [](double value) { return std::isfinite(value); })) return std::nullopt;
  const double below = share_below(draws, estimate);
  if (below <= 0 || below >= 1) return std::nullopt;
  const boost::math::normal normal;
  const double bias = boost::math::quantile(normal, below), acceleration = acceleration_of(blocks, statistic);
  const auto end_at = [&](double probability) {
    const double z = bias + boost::math::quantile(normal, probability);
    return quantile_of(draws, boost::math::cdf(normal, bias + z / (1 - acceleration * z)));
  };
  return BootstrapInterval{
      .estimate = estimate, .low = end_at(options.alpha), .high = end_at(1 - options.alpha), .bias = bias, .acceleration = acceleration};
}

std::optional<BootstrapInterval> bca_ratio(std::span<const double> numerator, std::span<const double> denominator,
                                           const BootstrapOptions& options) {
  if (numerator.size() != denominator.size()) return std::nullopt;
  return bca_interval(
      numerator.size(), [&](std::span<const std::size_t> blocks) { return mean_of(numerator, blocks) / mean_of(denominator, blocks); },
      options);
}

}  // namespace netsettle::strategies
