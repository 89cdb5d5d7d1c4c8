#include "strategies/surrogate/hyper_parameters.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "strategies/designs/random.hpp"
#include "strategies/surrogate/gaussian_process.hpp"

using namespace netsettle::strategies;

namespace {

/// A wave in the first of two numbers, nothing in the second; standardised.
Observations wave(double noise) {
  constexpr Eigen::Index kPoints = 60;
  Observations seen{.points = Eigen::MatrixXd(kPoints, 2),
                    .times = Eigen::VectorXd::LinSpaced(kPoints, 1, kPoints),
                    .values = Eigen::VectorXd(kPoints),
                    .weights = Eigen::VectorXd::Ones(kPoints)};
  Random random(3);
  for (Eigen::Index i = 0; i < kPoints; ++i) {
    seen.points(i, 0) = random.uniform();
    seen.points(i, 1) = random.uniform();
    seen.values[i] = 1.4 * std::sin(6 * seen.points(i, 0)) + noise * random.normal();
  }
  seen.values.array() -= seen.values.mean();
  return seen;
}

}  // namespace

TEST_CASE("what does nothing gets a longer scale than what does something") {
  const HyperParameters found = fit(wave(0.1), {0, 1});
  CHECK(found.log_lengths[0] + 0.5 < found.log_lengths[1]);
  CHECK(std::exp(found.log_noise) == Approx(0.1).epsilon(0.5));
}

TEST_CASE("noise is found where there is noise") { CHECK(std::exp(fit(wave(0.5), {0, 1}).log_noise) == Approx(0.5).epsilon(0.35)); }

TEST_CASE("the fit is the same every time") { CHECK(fit(wave(0.2), {0, 1}).vector() == fit(wave(0.2), {0, 1}).vector()); }

TEST_CASE("a vector holds all of them") {
  const HyperParameters one = fit(wave(0.2), {0, 1});
  const HyperParameters other = HyperParameters::from(one.vector());
  CHECK(other.vector() == one.vector());
  CHECK(other.log_lengths.size() == 2);
  CHECK(other.log_drift == one.log_drift);
}
