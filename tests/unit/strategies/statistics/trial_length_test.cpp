#include "strategies/statistics/trial_length.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

using namespace netsettle::strategies;

TEST_CASE("the spread of trials is divided into that of bins and that of trials") {
  // numpy 1.24.2: A.var(axis=1, ddof=1).mean(), A.mean(axis=1).var(ddof=1) - tau * S1² / 4
  const std::vector<std::vector<double>> trials{{10.1, 9.8, 10.3, 10.0}, {11.2, 11.5, 11.0, 11.1}, {9.0, 9.4, 9.1, 9.3}};
  const auto levels = spread_levels(trials);
  REQUIRE(levels);
  CHECK(levels->within == Approx(0.04111111111111115));
  CHECK(levels->between == Approx(0.997222222222224));
  CHECK(spread_levels(trials, 2)->between == Approx(0.9869444444444463));
}

TEST_CASE("trials that differ by no more than their bins do have no spread of their own") {
  const std::vector<std::vector<double>> trials{{1, 5, 3}, {2, 3, 4}, {5, 1, 3.1}};
  CHECK(spread_levels(trials)->between == 0);
  CHECK_FALSE(spread_levels(std::span(trials).first(1)));
  CHECK_FALSE(spread_levels(std::vector<std::vector<double>>{{1, 2}, {3}}));
}

TEST_CASE("repeats at a level are those of the paper's formula") {
  CHECK(optimal_repeats(1, 100, 4, 1) == 20);  // √(100 × 4)
  CHECK(optimal_repeats(1, 10, 3, 2) == 4);    // √15 = 3.87
  CHECK(optimal_repeats(1, 1, 0, 1) == 1);
  CHECK_FALSE(optimal_repeats(1, 1, 1, 0));
  CHECK_FALSE(optimal_repeats(0, 1, 1, 1));
}

TEST_CASE("the best length is that of the worked cases of the design") {
  // statistics.md 1.2: 8 s overhead, bins 3 %, tau 2: 3 s where trials differ by 4 %, 24 s where they differ by 0.5 %
  const auto differ = trial_length({.levels = {.within = 9, .tau = 2, .between = 16}, .overhead_s = 8});
  REQUIRE(differ);
  CHECK(*differ->optimum_s == Approx(3));
  CHECK(differ->seconds == 8);
  CHECK(differ->reason == LengthReason::trials_differ);
  const auto optimum = trial_length({.levels = {.within = 9, .tau = 2, .between = 0.25}, .overhead_s = 8});
  CHECK(*optimum->optimum_s == Approx(24));
  CHECK(optimum->seconds == Approx(24));
  CHECK(optimum->reason == LengthReason::optimum);
  const auto agree = trial_length({.levels = {.within = 9, .tau = 2, .between = 0.01}, .overhead_s = 8});
  CHECK(agree->seconds == 30);
  CHECK(agree->reason == LengthReason::trials_agree);
}

TEST_CASE("the length minimises the variance of a mean for its time") {
  const TrialLengthInputs inputs{.levels = {.within = 4, .tau = 1.5, .between = 0.2}, .bin_s = 0.5, .overhead_s = 9};
  const double best = *trial_length(inputs)->optimum_s;
  const auto cost = [&](double seconds) { return (0.2 + 1.5 * 4 * 0.5 / seconds) * (9 + seconds); };
  CHECK(cost(best) < cost(best * 1.05));
  CHECK(cost(best) < cost(best / 1.05));
}

TEST_CASE("trials that do not differ have no best length, and nonsense none at all") {
  const auto same = trial_length({.levels = {.within = 1, .tau = 1, .between = 0}, .overhead_s = 8});
  CHECK_FALSE(same->optimum_s);
  CHECK(same->seconds == 30);
  CHECK(to_text(same->reason) == "trials-agree");
  CHECK_FALSE(trial_length({.levels = {.within = -1, .tau = 1, .between = 1}, .overhead_s = 8}));
  CHECK_FALSE(trial_length({.levels = {.within = 1, .tau = 1, .between = 1}, .bin_s = 0, .overhead_s = 8}));
  CHECK_FALSE(trial_length({.levels = {.within = 1, .tau = 1, .between = 1}, .overhead_s = std::numeric_limits<double>::infinity()}));
}
