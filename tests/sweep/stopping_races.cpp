#include "tests/sweep/stopping_races.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "strategies/designs/random.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::tests {
namespace {

using namespace netsettle::strategies;

constexpr int kMostTrials = 900;
constexpr double kSlowShare = 0.15, kSlowDepth = 0.12, kMeanOfSlow = 0.018;
constexpr double kMemory = 0.98;  // of the drift, from trial to trial

class Machine {
 public:
  Machine(const RaceWorld& world, std::uint64_t seed) : world_(&world), random_(seed), drift_(world.drift * random_.normal()) {}

  /// One block of the live arms in random order.
  ArmValues block(const std::vector<std::size_t>& live) {
    std::vector<std::size_t> order = live;
    shuffle(order, random_);
    ArmValues values(world_->means.size());
    for (const std::size_t arm : order) values[arm] = trial(arm);
    return values;
  }

 private:
  double trial(std::size_t arm) {
    drift_ = kMemory * drift_ + world_->drift * std::sqrt(1 - kMemory * kMemory) * random_.normal();
    double noise = world_->noise[arm] * random_.normal();
    if (world_->slow_mode) noise += kMeanOfSlow - (random_.uniform() < kSlowShare ? kSlowDepth : 0);
    return world_->means[arm] + noise + drift_;
  }

  const RaceWorld* world_;
  Random random_;
  double drift_;
};

std::vector<std::size_t> all_arms(std::size_t arms) {
  std::vector<std::size_t> all(arms);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

BorrowedVariance variance_of(const std::vector<ArmValues>& blocks, std::size_t arms) {
  BorrowedVariance borrowed{.freedom = static_cast<double>(blocks.size()) - 1, .of_differences = std::vector<double>(arms * arms)};
  for (std::size_t i = 0; i < arms; ++i)
    for (std::size_t l = 0; l < arms; ++l) {
      std::vector<double> differences;
      for (const ArmValues& block : blocks) differences.push_back(*block[i] - *block[l]);
      borrowed.of_differences[i * arms + l] = std::pow(*summarise_values(differences)->standard_deviation, 2);
    }
  return borrowed;
}

KimNelsonPlan plan_of(const RaceRule& rule, Machine& machine, std::size_t arms) {
  KimNelsonPlan plan{.alpha = 0.05, .delta = kRaceDelta, .first_blocks = rule.first_blocks, .borrowed = {}};
  std::vector<ArmValues> before;
  for (int block = 0; block < rule.borrowed_blocks; ++block) before.push_back(machine.block(all_arms(arms)));
  if (!before.empty()) plan.borrowed = variance_of(before, arms);
  return plan;
}

double shortfall(const RaceWorld& world, std::size_t arm) { return *std::ranges::max_element(world.means) - world.means[arm]; }

}  // namespace

std::vector<RaceWorld> race_worlds() {
  const std::vector<double> slippage{kRaceDelta, 0, 0, 0, 0, 0}, equal(6, 0.0), ladder{0, -0.01, -0.02, -0.03, -0.04, -0.05, -0.06, -0.07};
  const auto noisy = [](std::size_t arms, double noise) { return std::vector<double>(arms, noise); };
  return {{"one better by delta, noise 3 %", slippage, noisy(6, 0.03)},
          {"all equal, noise 3 %", equal, noisy(6, 0.03)},
          {"ladder of eight, steps 1 %", ladder, noisy(8, 0.03)},
          {"two modes, noise 1.5 %", slippage, noisy(6, 0.015), true},
          {"noise 1 to 8 %", slippage, {0.03, 0.01, 0.02, 0.04, 0.06, 0.08}},
          {"noise 3 %, drift 5 %", slippage, noisy(6, 0.03), false, 0.05}};
}

std::vector<RaceRule> race_rules() {
  return {{"n0 = 8", 8, 0, {139, 215, 165, 277, 308, 155}},
          {"n0 = 12", 12, 0, {116, 171, 145, 226, 245, 130}},
          {"n0 = 5 and 7 borrowed", 5, 8, {110, 167, 122, 237, 241, 126}}};
}

RaceOutcome run_race(const RaceWorld& world, const RaceRule& rule, std::uint64_t seed) {
  const std::size_t arms = world.means.size();
  Machine machine(world, seed);
  const KimNelsonPlan plan = plan_of(rule, machine, arms);
  std::vector<ArmValues> blocks;
  std::vector<std::size_t> live = all_arms(arms);
  RaceOutcome outcome;
  while (live.size() > 1 && outcome.trials < kMostTrials) {
    blocks.push_back(machine.block(live));
    outcome.trials += static_cast<int>(live.size());
    const auto result = kim_nelson(blocks, arms, plan);
    live = result->survivors;
    outcome.selected = result->leader;
  }
  const double behind = shortfall(world, outcome.selected);
  outcome.wrong = behind > 1e-12 && behind >= kRaceDelta - 1e-9;
  return outcome;
}

bool achieved_is_wrong(int count, std::uint64_t seed) {
  constexpr std::size_t kArms = 6;
  Random random(derive_seed(seed, 1));
  RaceWorld world{.name = {}, .means = std::vector<double>(kArms, 0.0), .noise = std::vector<double>(kArms, 0.03)};
  world.means[random.index(kArms)] = 0.08 * random.uniform();
  const KimNelsonPlan plan{.alpha = 0.05, .delta = 0.005, .first_blocks = 8, .borrowed = {}};
  Machine machine(world, seed);
  std::vector<ArmValues> blocks;
  std::vector<std::size_t> live = all_arms(kArms);
  while (std::ssize(blocks) < count && live.size() > 1) {
    blocks.push_back(machine.block(live));
    live = kim_nelson(blocks, kArms, plan)->survivors;
  }
  const auto achieved = achieved_delta(blocks, kArms, plan);
  return achieved && shortfall(world, achieved->arm) > achieved->delta;
}

}  // namespace netsettle::tests
