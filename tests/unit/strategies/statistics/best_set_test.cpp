#include "strategies/statistics/best_set.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace netsettle::strategies;

TEST_CASE("the one-sided Dunnett quantile is that of an independent integration") {
  // R 4.2.2: uniroot over nested integrate(); with mvtnorm 1.1-3 qmvt() the same within its error, and Dunnett's table: 2.39 for 5 and 20
  struct Row {
    double alpha;
    int comparisons;
    double freedom, quantile;
  };
  for (const Row& row : {Row{0.05, 1, 10, 1.8124611228115}, Row{0.05, 2, 10, 2.1506138267508}, Row{0.05, 5, 20, 2.388779384572},
                         Row{0.05, 5, 55, 2.2881679329899}, Row{0.025, 3, 21, 2.5308204419718}, Row{0.01, 5, 5, 4.5969831345209}}) {
    const auto quantile = dunnett_quantile(row.alpha, row.comparisons, row.freedom);
    REQUIRE(quantile);
    CHECK(*quantile == Approx(row.quantile).epsilon(1e-7));
  }
  CHECK(*dunnett_quantile(0.05, 2, 1) == Approx(9.5099781254248).epsilon(1e-3));
  CHECK_FALSE(dunnett_quantile(0.05, 0, 10));
  CHECK_FALSE(dunnett_quantile(0.05, 2, 0));
  CHECK_FALSE(dunnett_quantile(0.5, 2, 10));
}

TEST_CASE("the set that may be the best is that of an independent program") {
  // R 4.2.2: aov(y ~ arm + block) for s, the quantile above for 3 comparisons and 21 degrees of freedom
  const std::vector<std::vector<double>> blocks{{0.0608, -0.0471, -0.0079, 0.0075},   {0.1078, 0.1449, 0.0408, 0.1394},
                                                {0.0497, 0.2054, 0.0625, 0.0901},     {0.0131, 0.0315, -0.0301, 0.0348},
                                                {-0.0173, -0.0089, -0.0230, -0.0127}, {0.0301, 0.1057, 0.0257, 0.0392},
                                                {-0.0298, 0.0219, 0.0137, -0.0074},   {0.0744, 0.1418, 0.0351, 0.0980}};
  const auto set = best_set(blocks);
  REQUIRE(set);
  CHECK(set->blocks == 8);
  CHECK(set->spread == Approx(0.036246100980789));
  const std::vector<std::vector<double>> expected{{0.0361, -0.0383, -0.077912571774768, 0.0013125717747685},
                                                  {0.0744, 0.0257875, -0.013825071774768, 0.065400071774768},
                                                  {0.0146, -0.0598, -0.099412571774768, 0},
                                                  {0.0486125, -0.0257875, -0.065400071774768, 0.013825071774768}};
  REQUIRE(set->arms.size() == 4);
  for (std::size_t arm = 0; arm < 4; ++arm) {
    CHECK(set->arms[arm].mean == Approx(expected[arm][0]));
    CHECK(set->arms[arm].lead == Approx(expected[arm][1]));
    CHECK(set->arms[arm].low == Approx(expected[arm][2]).margin(1e-8));
    CHECK(set->arms[arm].high == Approx(expected[arm][3]).margin(1e-8));
    CHECK(set->arms[arm].may_be_best == (arm != 2));
    CHECK_FALSE(set->arms[arm].is_best);
  }
}

TEST_CASE("an arm far ahead is the best, and no other may be") {
  const std::vector<std::vector<double>> blocks{{1.00, 2.0, 0.9}, {1.01, 2.02, 0.91}, {0.99, 1.99, 0.88}, {1.02, 2.0, 0.9}};
  const auto set = best_set(blocks);
  CHECK(set->arms[1].is_best);
  CHECK_FALSE(set->arms[0].may_be_best);
  CHECK_FALSE(set->arms[2].may_be_best);
}

TEST_CASE("what cannot be compared gives no set") {
  CHECK_FALSE(best_set({}));
  CHECK_FALSE(best_set(std::vector<std::vector<double>>{{1, 2}}));
  CHECK_FALSE(best_set(std::vector<std::vector<double>>{{1}, {2}}));
  CHECK_FALSE(best_set(std::vector<std::vector<double>>{{1, 2}, {1, 2, 3}}));
}
