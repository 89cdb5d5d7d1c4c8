// The counts of tests/sweep/stopping_sweep with fewer runs: limits with room for chance, so that only a broken procedure breaks them.

#include <catch2/catch.hpp>

#include "tests/sweep/interval_coverage.hpp"
#include "tests/sweep/stopping_races.hpp"

using namespace netsettle::tests;

namespace {

constexpr int kRaces = 40;  // of each world and rule
constexpr std::uint64_t kFirstSeed = 5'000'000;

int intervals_held(IntervalMethod method, const PairWorld& world, int blocks) {
  return covered(method, world, blocks, 300, kFirstSeed).held;
}

}  // namespace

TEST_CASE("the selection is seldom wrong and costs what was planned") {
  for (const RaceRule& rule : race_rules()) {
    int wrong = 0, races = 0;
    double trials = 0, expected = 0;
    for (const RaceWorld& world : race_worlds()) {
      expected += kRaces * rule.trials_expected[static_cast<std::size_t>(races / kRaces)];
      for (int i = 0; i < kRaces; ++i) {
        const RaceOutcome outcome = run_race(world, rule, kFirstSeed + static_cast<std::uint64_t>(races++));
        wrong += outcome.wrong ? 1 : 0;
        trials += outcome.trials;
      }
    }
    INFO(rule.name);
    CHECK(wrong <= races / 20);
    CHECK(trials == Approx(expected).epsilon(0.1));
  }
}

TEST_CASE("what is said to be achieved is seldom wrong") {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) wrong += achieved_is_wrong(12, kFirstSeed + seed) ? 1 : 0;
  CHECK(wrong <= 5);
}

TEST_CASE("intervals of noise and drift hold the truth in about 95 of 100 studies") {
  const std::vector<PairWorld> worlds = pair_worlds();
  for (const PairWorld& world : {worlds.front(), worlds.back()})
    for (const IntervalMethod method :
         {IntervalMethod::paired_t, IntervalMethod::fieller, IntervalMethod::hodges_lehmann, IntervalMethod::median}) {
      INFO(world.name << ", " << to_text(method));
      CHECK(intervals_held(method, world, 10) >= 273);  // 91 %
    }
}
