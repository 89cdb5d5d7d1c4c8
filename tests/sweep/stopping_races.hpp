#pragma once
// Races of a few configurations with known truth, to count how often the selection of the confirmation picks a wrong one and what it costs.

#include <cstdint>
#include <string_view>
#include <vector>

#include "strategies/statistics/kim_nelson.hpp"

namespace netsettle::tests {

/// Arms with true means and relative noise, of logarithms.
struct RaceWorld {
  std::string_view name;
  std::vector<double> means;
  std::vector<double> noise;
  bool slow_mode = false;  // 15 % of all trials are 12 % slower, whatever the arm
  double drift = 0;        // spread of an Ornstein-Uhlenbeck drift with a memory of 50 trials
};

/// The six scenarios with which the design compared stopping rules (statistics.md 6.1). They are to be told apart at delta = 2 %.
std::vector<RaceWorld> race_worlds();
inline constexpr double kRaceDelta = 0.02;

struct RaceRule {
  std::string_view name;
  int first_blocks = 8;
  int borrowed_blocks = 0;              // of the same arms, for their variance only; their trials are not counted
  std::vector<double> trials_expected;  // mean of each world, in the order of race_worlds(); statistics.md, table 6.1
};
std::vector<RaceRule> race_rules();

struct RaceOutcome {
  std::size_t selected = 0;
  int trials = 0;
  bool wrong = false;  // worse than the best by delta or more
};

/// One race by Kim and Nelson, alpha 5 %, in blocks in random order, until one arm is left or 900 trials are used.
RaceOutcome run_race(const RaceWorld& world, const RaceRule& rule, std::uint64_t seed);

/// Five equal arms and one that leads by 0 to 8 %, noise 3 %, planned for 0.5 % and stopped after `blocks`. Whether the statement "within
/// achieved_delta of the best" is false.
bool achieved_is_wrong(int blocks, std::uint64_t seed);

}  // namespace netsettle::tests
