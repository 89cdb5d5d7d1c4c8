#include "strategies/statistics/best_set.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace netsettle::strategies {
namespace {

using boost::math::cdf;
using boost::math::pdf;
using boost::math::quantile;

constexpr double kFarOut = 8;     // standard deviations that a normal integral covers
constexpr double kTail = 1e-13;   // of chi-square that is left out
constexpr double kLargest = 1e4;  // of a quantile

/// P(all of `comparisons` normals with correlation 1/2 are below x): the control's part z is integrated over.
double all_below(double x, int comparisons) {
  const boost::math::normal normal;
  const auto integrand = [&](double z) { return std::pow(cdf(normal, z + std::sqrt(2.0) * x), comparisons) * pdf(normal, z); };
  return boost::math::quadrature::gauss<double, 60>::integrate(integrand, -kFarOut, kFarOut);
}

/// The same where x is in units of an estimated deviation: u = s / sigma is integrated over.
double all_below_estimated(double x, int comparisons, double freedom) {
  const boost::math::chi_squared chi(freedom);
  const auto integrand = [&](double u) { return all_below(x * u, comparisons) * pdf(chi, freedom * u * u) * 2 * freedom * u; };
  const double low = std::sqrt(quantile(chi, kTail) / freedom), high = std::sqrt(quantile(complement(chi, kTail)) / freedom);
  return boost::math::quadrature::gauss<double, 60>::integrate(integrand, low, high);
}

struct Table {
  std::vector<double> means;
  double spread = 0;
};

Table summarised(std::span<const std::vector<double>> blocks, std::size_t arms) {
  const auto n = static_cast<double>(blocks.size()), k = static_cast<double>(arms);
  Table table{.means = std::vector<double>(arms, 0.0), .spread = 0};
  std::vector<double> of_blocks;
  for (const std::vector<double>& block : blocks) {
    double sum = 0;
    for (std::size_t arm = 0; arm < arms; ++arm) {
      table.means[arm] += block[arm] / n;
      sum += block[arm];
    }
    of_blocks.push_back(sum / k);
  }
  double grand = 0;
  for (const double mean : table.means) grand += mean / k;
  double squares = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t arm = 0; arm < arms; ++arm) squares += std::pow(blocks[i][arm] - of_blocks[i] - table.means[arm] + grand, 2);
  table.spread = std::sqrt(squares / ((n - 1) * (k - 1)));
  return table;
}

double best_of_others(const std::vector<double>& means, std::size_t arm) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t other = 0; other < means.size(); ++other)
    if (other != arm) best = std::max(best, means[other]);
  return best;
}

}  // namespace

std::optional<double> dunnett_quantile(double alpha, int comparisons, double freedom) {
  if (comparisons < 1 || !(freedom >= 1) || !(alpha > 0 && alpha < 0.5)) return std::nullopt;
  const auto excess = [&](double x) { return all_below_estimated(x, comparisons, freedom) - (1 - alpha); };
  double high = 1;
  while (excess(high) < 0) {
    high *= 2;
    if (high > kLargest) return std::nullopt;
  }
  std::uintmax_t evaluations = 60;
  const auto [below, above] =
      boost::math::tools::toms748_solve(excess, 0.0, high, boost::math::tools::eps_tolerance<double>(32), evaluations);
  return (below + above) / 2;
}

std::optional<BestSet> best_set(std::span<const std::vector<double>> blocks, double alpha) {
  if (blocks.size() < 2) return std::nullopt;
  const std::size_t arms = blocks.front().size();
  if (arms < 2 || !std::ranges::all_of(blocks, [arms](const auto& block) { return block.size() == arms; })) return std::nullopt;
  const auto n = static_cast<double>(blocks.size());
  const auto quantile = dunnett_quantile(alpha, static_cast<int>(arms) - 1, (n - 1) * static_cast<double>(arms - 1));
  if (!quantile) return std::nullopt;
  const Table table = summarised(blocks, arms);
  const double margin = *quantile * table.spread * std::sqrt(2 / n);
  BestSet set{.blocks = static_cast<int>(blocks.size()), .spread = table.spread, .quantile = *quantile, .arms = {}};
  for (std::size_t arm = 0; arm < arms; ++arm) {
    const double lead = table.means[arm] - best_of_others(table.means, arm);
    BestCandidate candidate{
        .arm = arm, .mean = table.means[arm], .lead = lead, .low = std::min(0.0, lead - margin), .high = std::max(0.0, lead + margin)};
    candidate.may_be_best = candidate.high > 0;
    candidate.is_best = candidate.may_be_best && candidate.low == 0;
    set.arms.push_back(candidate);
  }
  return set;
}

}  // namespace netsettle::strategies
