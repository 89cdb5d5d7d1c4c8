#include "tests/sweep/interval_coverage.hpp"

#include <cmath>
#include <optional>

#include "strategies/designs/random.hpp"
#include "strategies/statistics/bootstrap.hpp"
#include "strategies/statistics/location.hpp"
#include "strategies/statistics/ratio.hpp"

namespace netsettle::tests {
namespace {

using namespace netsettle::strategies;

const double kGain = std::log(1.05), kSlow = std::log(0.8);
constexpr int kDraws = 1999;

struct Sample {
  std::vector<double> ours, baseline, log_ratios;
};

Sample sample_of(const PairWorld& world, int blocks, std::uint64_t seed) {
  Random random(seed);
  Sample sample;
  double drift = 0;
  const auto trial = [&](double mean, double slow) {
    drift += world.drift * random.normal();
    return mean + drift + world.noise * random.normal() + (random.uniform() < slow ? kSlow : 0);
  };
  for (int block = 0; block < blocks; ++block) {
    const double level = world.block_spread * random.normal();
    const bool ours_first = random.uniform() < 0.5;
    double ours = 0, baseline = 0;
    if (ours_first) ours = trial(level + kGain, world.slow_ours);
    baseline = trial(level, world.slow_baseline);
    if (!ours_first) ours = trial(level + kGain, world.slow_ours);
    sample.ours.push_back(std::exp(ours));
    sample.baseline.push_back(std::exp(baseline));
    sample.log_ratios.push_back(ours - baseline);
  }
  return sample;
}

struct Ends {
  double low = 0, high = 0, truth = 0;
};

template <typename Interval>
std::optional<Ends> ends_of(const std::optional<Interval>& interval, double truth) {
  if (!interval) return std::nullopt;
  return Ends{.low = interval->low, .high = interval->high, .truth = truth};
}

double mean_factor(double slow) { return 1 - slow + slow * std::exp(kSlow); }

std::optional<Ends> interval_of(IntervalMethod method, const PairWorld& world, const Sample& sample, std::uint64_t seed) {
  const double ratio = std::exp(kGain) * mean_factor(world.slow_ours) / mean_factor(world.slow_baseline);
  if (method == IntervalMethod::paired_t)
    return ends_of(mean_interval(sample.log_ratios), kGain + (world.slow_ours - world.slow_baseline) * kSlow);
  if (method == IntervalMethod::fieller) return ends_of(ratio_in_blocks(sample.ours, sample.baseline), ratio);
  if (method == IntervalMethod::bca) return ends_of(bca_ratio(sample.ours, sample.baseline, {.draws = kDraws, .seed = seed}), ratio);
  if (world.slow_ours != world.slow_baseline) return std::nullopt;
  return ends_of(method == IntervalMethod::median ? median_interval(sample.log_ratios) : hodges_lehmann(sample.log_ratios), kGain);
}

}  // namespace

std::vector<PairWorld> pair_worlds() {
  return {{.name = "normal, noise 3 %"},
          {.name = "two modes on both sides", .slow_ours = 0.3, .slow_baseline = 0.3},
          {.name = "two modes of one side", .slow_ours = 0.3},
          {.name = "blocks 10 %, drift", .block_spread = 0.1, .drift = 0.01}};
}

std::string_view to_text(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::paired_t:
      return "t";
    case IntervalMethod::fieller:
      return "Fieller";
    case IntervalMethod::bca:
      return "BCa";
    case IntervalMethod::hodges_lehmann:
      return "Hodges-Lehmann";
    case IntervalMethod::median:
      return "median";
  }
  return "";
}

Coverage covered(IntervalMethod method, const PairWorld& world, int blocks, int studies, std::uint64_t first_seed) {
  Coverage coverage;
  for (int study = 0; study < studies; ++study) {
    const std::uint64_t seed = derive_seed(first_seed + static_cast<std::uint64_t>(study), static_cast<std::uint64_t>(blocks));
    const auto ends = interval_of(method, world, sample_of(world, blocks, seed), seed);
    if (!ends) continue;
    ++coverage.intervals;
    coverage.held += ends->low <= ends->truth && ends->truth <= ends->high ? 1 : 0;
  }
  return coverage;
}

}  // namespace netsettle::tests
