#include "strategies/worlds/score_summary.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

/// Hyndman & Fan (1996), type 7. `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

double share_within(const std::vector<double>& regrets, double percent) {
  const auto within = std::ranges::count_if(regrets, [&](double regret) { return regret <= percent; });
  return static_cast<double>(within) / static_cast<double>(regrets.size());
}

}  // namespace

ScoreSummary summarise_scores(std::span<const StudyScore> scores) {
  std::vector<double> regrets;
  ScoreSummary summary{.studies = static_cast<int>(scores.size()), .standard_error = std::nullopt};
  for (const StudyScore& score : scores) {
    regrets.push_back(score.regret_percent);
    summary.claims += score.claimed ? 1 : 0;
    summary.wrong_claims += score.wrong_claim ? 1 : 0;
    summary.unstable += score.unstable ? 1 : 0;
    summary.intervals += score.interval_holds_truth ? 1 : 0;
    summary.intervals_holding += score.interval_holds_truth.value_or(false) ? 1 : 0;
  }
  std::ranges::sort(regrets);
  const Summary values = summarise_values(regrets).value();
  summary.mean = values.mean;
  if (values.standard_deviation) summary.standard_error = *values.standard_deviation / std::sqrt(static_cast<double>(values.n));
  summary.median = quantile(regrets, 0.5);
  summary.p90 = quantile(regrets, 0.9);
  summary.within_2 = share_within(regrets, 2);
  summary.within_5 = share_within(regrets, 5);
  return summary;
}

}  // namespace netsettle::strategies
