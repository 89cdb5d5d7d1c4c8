#include "strategies/designs/two_level.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace netsettle::strategies;

namespace {

std::string signs(const std::vector<bool>& row) {
  std::string text;
  for (const bool high : row) text += high ? '+' : '-';
  return text;
}

}  // namespace

TEST_CASE("the generators are those that Plackett and Burman published") {
  // Plackett & Burman, The design of optimum multifactorial experiments, Biometrika 33 (1946): N = 8, 12, 20, 24, 48.
  struct Row {
    std::size_t factors;
    std::string generator;
  };
  const std::vector<Row> rows{{7, "+++-+--"},
                              {11, "++-+++---+-"},
                              {19, "++--++++-+-+----++-"},
                              {23, "+++++-+-++--++--+-+----"},
                              {47, "+++++-++++--+-+-+++--+--++-++---+-+-++----+----"}};
  for (const Row& row : rows) {
    const TwoLevelPlan plan = plackett_burman(row.factors);
    CHECK(plan.size() == row.factors + 1);
    CHECK(signs(plan.front()) == row.generator);
    CHECK(signs(plan.back()) == std::string(row.factors, '-'));
  }
}

TEST_CASE("the columns of a plan are balanced and orthogonal, also where there are fewer factors than columns") {
  for (std::size_t factors = 1; factors <= 40; ++factors) {
    CAPTURE(factors);
    const TwoLevelPlan plan = plackett_burman(factors);
    for (std::size_t one = 0; one < factors; ++one)
      for (std::size_t other = one; other < factors; ++other) {
        int sum = 0, high = 0;
        for (const auto& row : plan) {
          sum += row[one] == row[other] ? 1 : -1;
          high += row[one] ? 1 : 0;
        }
        REQUIRE(sum == (one == other ? static_cast<int>(plan.size()) : 0));
        REQUIRE(2 * high == static_cast<int>(plan.size()));
      }
  }
}

TEST_CASE("folded over, main effects are free of two-factor interactions") {
  const TwoLevelPlan plan = folded_over(plackett_burman(11));
  REQUIRE(plan.size() == 24);
  const auto level = [&](std::size_t run, std::size_t factor) { return plan[run][factor] ? 1 : -1; };
  for (std::size_t main = 0; main < 11; ++main)
    for (std::size_t one = 0; one < 11; ++one)
      for (std::size_t other = one + 1; other < 11; ++other) {
        int sum = 0;
        for (std::size_t run = 0; run < plan.size(); ++run) sum += level(run, main) * level(run, one) * level(run, other);
        REQUIRE(sum == 0);
      }
}
