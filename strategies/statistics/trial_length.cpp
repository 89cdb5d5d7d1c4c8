#include "strategies/statistics/trial_length.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kShortest = 8, kLongest = 30;  // seconds
constexpr double kMostRepeats = 1e9;

bool usable(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

std::string_view to_text(LengthReason reason) {
  switch (reason) {
    case LengthReason::optimum:
      return "optimum";
    case LengthReason::trials_differ:
      return "trials-differ";
    case LengthReason::trials_agree:
      return "trials-agree";
  }
  return "";
}

std::optional<SpreadLevels> spread_levels(std::span<const std::vector<double>> trials, double tau) {
  std::vector<double> means;
  double variances = 0, reciprocals = 0;
  for (const std::vector<double>& bins : trials) {
    const auto summary = summarise_values(bins);
    if (!summary || !summary->standard_deviation) return std::nullopt;
    means.push_back(summary->mean);
    variances += *summary->standard_deviation * *summary->standard_deviation;
    reciprocals += 1.0 / summary->n;
  }
  if (means.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(means.size());
  const double within = variances / n;
  const double of_means = std::pow(*summarise_values(means)->standard_deviation, 2);
  return SpreadLevels{.within = within, .tau = tau, .between = std::max(0.0, of_means - tau * within * reciprocals / n)};
}

std::optional<int> optimal_repeats(double cost, double cost_above, double spread, double spread_above) {
  if (!(cost > 0) || !(cost_above > 0) || !(spread >= 0) || !(spread_above > 0)) return std::nullopt;
  const double repeats = std::ceil(std::sqrt(cost_above / cost * spread / spread_above));
  return static_cast<int>(std::clamp(repeats, 1.0, kMostRepeats));
}

std::optional<TrialLength> trial_length(const TrialLengthInputs& inputs) {
  const SpreadLevels& levels = inputs.levels;
  if (!usable(levels.within) || !usable(levels.tau) || !usable(levels.between) || !usable(inputs.overhead_s)) return std::nullopt;
  if (!usable(inputs.bin_s) || !(inputs.bin_s > 0)) return std::nullopt;
  if (!(levels.between > 0)) return TrialLength{.optimum_s = std::nullopt, .seconds = kLongest, .reason = LengthReason::trials_agree};
  const double optimum = std::sqrt(inputs.overhead_s * levels.tau * levels.within * inputs.bin_s / levels.between);
  TrialLength length{.optimum_s = optimum, .seconds = std::clamp(optimum, kShortest, kLongest), .reason = LengthReason::optimum};
  if (optimum < kShortest) length.reason = LengthReason::trials_differ;
  if (optimum > kLongest) length.reason = LengthReason::trials_agree;
  return length;
}

}  // namespace netsettle::strategies
