#include "strategies/statistics/location.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kMostExactRanks = 200;

double middle_of(std::span<const double> sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// y(rank) … y(N + 1 - rank) around the middle; rank counts from 1.
LocationInterval between_ranks(std::span<const double> sorted, std::size_t rank, std::size_t n, double outside) {
  return {.n = static_cast<int>(n),
          .estimate = middle_of(sorted),
          .low = sorted[rank - 1],
          .high = sorted[sorted.size() - rank],
          .coverage = 1 - 2 * outside};
}

/// Means of all pairs, a value with itself included, rising.
std::vector<double> walsh_averages(std::span<const double> values) {
  std::vector<double> averages;
  averages.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) averages.push_back((values[i] + values[j]) / 2);
  std::ranges::sort(averages);
  return averages;
}

/// P(T = 0), P(T = 1), … of the signed-rank statistic of n values, symmetric around 0: T is a sum over a random subset of 1 … n.
std::vector<double> signed_rank_probabilities(std::size_t n) {
  std::vector<double> probabilities(n * (n + 1) / 2 + 1, 0.0);
  probabilities[0] = 1;
  for (std::size_t rank = 1, most = 0; rank <= n; ++rank) {
    most += rank;
    for (std::size_t sum = most + 1; sum-- > 0;) {
      const double without = probabilities[sum], with = sum >= rank ? probabilities[sum - rank] : 0;
      probabilities[sum] = (without + with) / 2;
    }
  }
  return probabilities;
}

struct Cut {
  std::size_t rank = 0;  // the largest with P(T < rank) <= alpha; 0: there is none
  double outside = 0;    // that probability
};

Cut exact_cut(std::size_t n, double alpha) {
  Cut cut;
  double below = 0;
  for (const double probability : signed_rank_probabilities(n)) {
    below += probability;
    if (below > alpha) break;
    ++cut.rank;
    cut.outside = below;
  }
  return cut;
}

Cut normal_cut(std::size_t size, double alpha) {
  const auto n = static_cast<double>(size);
  const double mean = n * (n + 1) / 4, deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  const double z = boost::math::quantile(boost::math::normal(), alpha);
  return {.rank = static_cast<std::size_t>(mean + z * deviation), .outside = alpha};
}

}  // namespace

std::optional<LocationInterval> mean_interval(std::span<const double> values, double alpha) {
  const auto summary = summarise_values(values);
  if (!summary || !summary->standard_deviation) return std::nullopt;
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(summary->n - 1), alpha));
  const double half = t * *summary->standard_deviation / std::sqrt(summary->n);
  return LocationInterval{
      .n = summary->n, .estimate = summary->mean, .low = summary->mean - half, .high = summary->mean + half, .coverage = 1 - 2 * alpha};
}

std::optional<LocationInterval> median_interval(std::span<const double> values, double alpha) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const boost::math::binomial below_median(static_cast<double>(sorted.size()), 0.5);
  std::size_t rank = 0;
  while (2 * (rank + 1) <= sorted.size() && boost::math::cdf(below_median, static_cast<double>(rank)) <= alpha) ++rank;
  if (rank == 0) return std::nullopt;
  return between_ranks(sorted, rank, sorted.size(), boost::math::cdf(below_median, static_cast<double>(rank - 1)));
}

std::optional<LocationInterval> hodges_lehmann(std::span<const double> values, double alpha) {
  const Cut cut = values.size() <= kMostExactRanks ? exact_cut(values.size(), alpha) : normal_cut(values.size(), alpha);
  if (cut.rank == 0) return std::nullopt;
  return between_ranks(walsh_averages(values), cut.rank, values.size(), cut.outside);
}

}  // namespace netsettle::strategies
