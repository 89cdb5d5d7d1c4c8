#include "strategies/statistics/unpaired.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace netsettle::strategies;

namespace {

std::vector<double> logs(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

}  // namespace

TEST_CASE("two occasions are compared with the spread of both") {
  // By Python's math and the quantiles 3.182446305284263 (3 degrees of freedom) and 4.302652729911275 (2).
  const auto two = compare_unpaired_log(logs({100, 102, 98}), logs({110, 112}), 0.025);
  REQUIRE(two);
  CHECK(two->effect == Approx(0.11010298751214707).epsilon(1e-9));
  CHECK(two->low == Approx(0.05381198853513727).epsilon(1e-9));
  CHECK(two->high == Approx(0.16940085735445645).epsilon(1e-9));
  const auto one = compare_unpaired_log(logs({100, 102, 98}), logs({101}), 0.025);
  REQUIRE(one);
  CHECK(one->low == Approx(-0.08542584466697045).epsilon(1e-9));
  CHECK(one->high == Approx(0.115680025971124).epsilon(1e-9));
  CHECK(one->n_before == 3);
  CHECK(one->n_now == 1);
}

TEST_CASE("the p value of two occasions is that of an independent program") {
  // SciPy 1.10.1: stats.ttest_ind(np.log([100, 102, 98]), np.log([110, 112]))
  CHECK(compare_unpaired_log(logs({100, 102, 98}), logs({110, 112}), 0.025)->p == Approx(0.007768904430491564).epsilon(1e-9));
  CHECK(compare_unpaired_log(logs({100, 100}), logs({100, 100}), 0.025)->p == 1);
  CHECK(compare_unpaired_log(logs({100, 100}), logs({110, 110}), 0.025)->p == 0);
}

TEST_CASE("without a spread nothing is compared") {
  CHECK_FALSE(compare_unpaired_log(logs({100}), logs({101}), 0.025));
  CHECK_FALSE(compare_unpaired_log({}, logs({101, 102}), 0.025));
  CHECK_FALSE(compare_unpaired_log(logs({101, 102}), {}, 0.025));
}
