#include "strategies/statistics/autocorrelation.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/statistics/series_samples.hpp"

using namespace netsettle::strategies;

namespace {

/// z_t = 0.6 z_(t-1) + noise, from 0.
std::vector<double> correlated() {
  std::vector<double> values{0};
  for (const double noise : reference_noise(149)) values.push_back(0.6 * values.back() + noise);
  return values;
}

}  // namespace

TEST_CASE("autocorrelations are those of an independent program") {
  // NumPy 1.24.2 with SciPy 1.10.1: x = z - z.mean(); c = scipy.signal.correlate(x, x)[len(x) - 1:]; c / c[0]
  const std::vector<double> expected{
      1, 0.5925948508110817, 0.486879867679788, 0.39434739041525424, 0.3405427783864925, 0.29196974377629253};
  const auto rho = autocorrelation(correlated(), 5);
  REQUIRE(rho.size() == expected.size());
  for (std::size_t lag = 0; lag < rho.size(); ++lag) CHECK(rho[lag] == Approx(expected[lag]).margin(1e-12));
}

TEST_CASE("effective sizes are those of an independent program") {
  // NumPy 1.24.2: tau = -1 + 2 × the sum of pairs of the autocorrelations above, up to the first pair <= 0; n / tau
  const auto positive = effective_sample_size(correlated()), flat = effective_sample_size(reference_flat());
  REQUIRE(positive);
  REQUIRE(flat);
  CHECK(positive->tau == Approx(6.051540540898998));
  CHECK(positive->size == Approx(24.787076775943813));
  CHECK(flat->tau == Approx(1.605434744497702));
  CHECK(flat->size == Approx(93.43263593496665));
}

TEST_CASE("points that repel each other are not more than they are") {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(100 + (i % 2 == 0 ? 1 : -1) * (3 + 0.01 * i));
  CHECK(autocorrelation(values, 1)[1] == Approx(-0.9749349399417395));  // NumPy, as above
  CHECK(effective_sample_size(values)->tau == 1);
  CHECK(effective_sample_size(values)->size == 40);
}

TEST_CASE("the effective size of a correlated series is near the formula for it") {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) sum += effective_sample_size(noisy_level(seed, 2000, 0.05, 0.5))->tau;
  CHECK(sum / 40 == Approx(3).epsilon(0.08));  // (1 + rho) / (1 - rho)
}

TEST_CASE("autocorrelation does not depend on unit and zero") {
  std::vector<double> values = correlated();
  const auto before = autocorrelation(values, 20);
  for (double& value : values) value = 1e6 + 1e-2 * value;
  const auto after = autocorrelation(values, 20);
  for (std::size_t lag = 0; lag < before.size(); ++lag) CHECK(after[lag] == Approx(before[lag]).margin(1e-6));
}

TEST_CASE("series without spread or points have no autocorrelation") {
  CHECK(autocorrelation({}, 3).empty());
  CHECK(autocorrelation(std::vector<double>{1}, 3).empty());
  CHECK(autocorrelation(std::vector<double>(20, 0.1), 3).empty());
  CHECK_FALSE(effective_sample_size(std::vector<double>(20, 0.1)));
  CHECK_FALSE(effective_sample_size(noisy_level(1, 9, 0.1, 0)));
  CHECK(effective_sample_size(noisy_level(1, 10, 0.1, 0)));
  CHECK(autocorrelation(std::vector<double>{1, 2, 4}, 9).size() == 3);
}
