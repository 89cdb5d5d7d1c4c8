#include "strategies/statistics/dip.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace netsettle::strategies;

namespace {

struct Row {
  std::vector<double> values;
  double dip, p;
};

}  // namespace

TEST_CASE("dips and their probabilities are those of an independent program") {
  // R 4.2.2, diptest 0.76-0: dip(x); dip.test(x, simulate.p.value = TRUE, B = 20000)
  const std::vector<Row> rows{
      {{-0.96, -0.29, 0.26, -1.15, 0.2, 0.03, 0.09, 1.12, -1.22, 1.27, -0.74, -1.13, -0.72, 0.25, 0.15, -0.31, -0.95, -0.65,
        1.22,  0.2,   3.42, 3.06,  3.8, 2.33, 3.52, 3.26, 5.16,  5.01, 3.93,  2.86,  4.9,   4.85, 4.73, 4.74,  3.65},
       0.07930029154518947,
       0.0746},
      {{0.71,  1.3,   0.04, -0.98, 0.79,  0.79, -0.31, 1.7,  -0.79, 0.35, -2.27, -0.16, 1.13, -0.46, -0.9, 0.73,  -0.81, 0.27, -1.74, -1.41,
        -0.45, -1.04, 1.36, 0.92,  -0.79, 0.57, 0.92,  0.26, 0.35,  1.17, -0.48, -0.42, 0.96, -1.29, 0.19, -0.03, 0.47,  1.02, 0.27,  0.23},
       0.0421641791044776,
       0.88995},
      {{1, 1, 1, 2, 2, 5, 5, 5, 5, 6}, 0.1875, 0.00035},
      {{0.19, -0.12, 0.32, 0.18, 0.31, 0.18, 0.06,  -0.57, -0.2, 0.14, 4.86, 4.92,  4.88, 5.49, 4.78,
        4.86, 5,     5.06, 5.06, 4.98, 9.55, 10.11, 10.16, 9.85, 10.2, 9.77, 10.12, 9.8,  9.48, 10.35},
       0.1389408099688474,
       0},
      {{
           0.512, 0.386, 0.036, 1.798, 0.102, 1.995, 4.198, 0.445, 0.132, 1.111, 2.611, 2.3,   1.908,
           0.753, 2.085, 1.675, 1.171, 1.261, 0.367, 0.316, 0.201, 2.26,  0.164, 0.279, 2.652,
       },
       0.06309843400447429,
       0.6075},
      {{1, 2, 3, 4}, 0.125, 1},
      {{0, 0, 0, 1, 1, 1, 1}, 0.2142857142857143, 0}};
  for (const Row& row : rows) {
    const auto test = dip_test(row.values);
    REQUIRE(test);
    CHECK(test->dip == Approx(row.dip).epsilon(1e-12));
    CHECK(test->p == Approx(row.p).margin(0.001 + 4 * std::sqrt(row.p * (1 - row.p) / 2000)));
  }
}

TEST_CASE("a probability is never zero, and the same each time") {
  const std::vector<double> two{0, 0.01, 0.02, 0.03, 0.04, 0.05, 5, 5.01, 5.02, 5.03, 5.04, 5.05};
  CHECK(dip_test(two)->p > 0);
  CHECK(dip_test(two)->p == dip_test(two)->p);
}

TEST_CASE("values that cannot have two modes or are no numbers are not tested") {
  CHECK_FALSE(dip_test({}));
  CHECK_FALSE(dip_test(std::vector<double>{1, 2, 3}));
  CHECK_FALSE(dip_test(std::vector<double>(20, 1.0)));
  CHECK_FALSE(dip_test(std::vector<double>{1, 2, std::nan(""), 4, 5}));
}
