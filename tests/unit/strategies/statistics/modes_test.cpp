#include "strategies/statistics/modes.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "strategies/designs/random.hpp"

using namespace netsettle::strategies;

namespace {

std::vector<double> noise(std::uint64_t seed, int n, double low_share, double depth) {
  Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    const double mode = random.uniform() < low_share ? -depth : 0;
    values.push_back(mode + 0.03 * random.normal());
  }
  return values;
}

int found(int n, double low_share, double depth) {
  int count = 0;
  for (std::uint64_t study = 0; study < 100; ++study) {
    const auto modes = two_modes(noise(derive_seed(study, 97), n, low_share, depth));
    count += modes && modes->distinct ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("two modes are those of an independent program") {
  // R 4.2.2, mclust 6.0.0: Mclust(x, G = 2, modelNames = "E") against G = 1
  const std::vector<double> values{6.91, 6.90, 6.92, 6.915, 6.905, 6.62, 6.90, 6.63, 6.91, 6.925, 6.61, 6.90};
  const auto modes = two_modes(values);
  REQUIRE(modes);
  CHECK(modes->low == Approx(6.62).epsilon(1e-9));
  CHECK(modes->high == Approx(6.9094444444444).epsilon(1e-9));
  CHECK(modes->spread == Approx(0.0085255606962347).epsilon(1e-6));
  CHECK(modes->share_low == Approx(0.25).epsilon(1e-6));
  CHECK(modes->bic_difference == Approx(46.099293877312).epsilon(1e-6));
  CHECK(modes->distinct);
}

TEST_CASE("one mode is not taken for two") {
  // R 4.2.2, mclust 6.0.0: difference of BIC -4.32 at its start; a better maximum may be a little above
  const std::vector<double> values{6.91, 6.88, 6.93, 6.87, 6.95, 6.90, 6.92, 6.86, 6.94, 6.89, 6.905, 6.915};
  const auto modes = two_modes(values);
  CHECK(modes->bic_difference < 0);
  CHECK(modes->bic_difference >= -4.3214);
  CHECK_FALSE(modes->distinct);
}

TEST_CASE("two modes are hardly ever seen in samples of one normal") {
  CHECK(found(8, 0, 0) <= 2);
  CHECK(found(20, 0, 0) <= 2);
}

TEST_CASE("two modes a quarter apart are mostly seen among twelve values") { CHECK(found(12, 0.4, 0.25) >= 80); }

TEST_CASE("two exact levels are two modes, in any unit") {
  const std::vector<double> levels{1, 1, 1, 1, 2, 2, 2, 1};
  CHECK(two_modes(levels)->distinct);
  std::vector<double> scaled = levels;
  for (double& value : scaled) value = 5 + 1e6 * value;
  CHECK(two_modes(scaled)->bic_difference == Approx(two_modes(levels)->bic_difference).epsilon(1e-6));
}

TEST_CASE("too few or equal values have no modes") {
  CHECK_FALSE(two_modes({}));
  CHECK_FALSE(two_modes(std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  CHECK_FALSE(two_modes(std::vector<double>(10, 3.0)));
}
