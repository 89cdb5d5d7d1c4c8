#include "strategies/statistics/binomial.hpp"

#include <catch2/catch.hpp>

using namespace netsettle::strategies;

TEST_CASE("upper bounds of counted rates are those of Clopper and Pearson") {
  // SciPy 1.10.1: stats.binomtest(k, n, alternative='less').proportion_ci(.95).high
  CHECK(*clopper_pearson_upper(0, 300, 0.95) == Approx(0.009936081944457708));
  CHECK(*clopper_pearson_upper(3, 200, 0.95) == Approx(0.03830970849856934));
  CHECK(*clopper_pearson_upper(25, 1000, 0.95) == Approx(0.034742520099362566));
  CHECK(*clopper_pearson_upper(50, 1000, 0.95) == Approx(0.06286340351237975));
  CHECK(*clopper_pearson_upper(10, 10, 0.95) == 1);
}

TEST_CASE("impossible counts have no bound") {
  CHECK_FALSE(clopper_pearson_upper(0, 0, 0.95));
  CHECK_FALSE(clopper_pearson_upper(-1, 10, 0.95));
  CHECK_FALSE(clopper_pearson_upper(11, 10, 0.95));
}
