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
  const HyperParameters other = HyperParameters::from(one.vector(), 2);
  CHECK(other.vector() == one.vector());
  CHECK(other.log_lengths.size() == 2);
  CHECK(other.log_drift == one.log_drift);
}

namespace {

/// A number, and a category of two levels (coordinates 1 and 2, columns 3 and 4 of the basis) the second of which is `times` as noisy.
Observations restless(double times) {
  constexpr Eigen::Index kPoints = 60;
  Observations seen{.points = Eigen::MatrixXd::Zero(kPoints, 5),
                    .times = Eigen::VectorXd::LinSpaced(kPoints, 1, kPoints),
                    .values = Eigen::VectorXd(kPoints),
                    .weights = Eigen::VectorXd::Ones(kPoints)};
  Random random(4);
  for (Eigen::Index i = 0; i < kPoints; ++i) {
    const Eigen::Index level = i % 2;
    seen.points(i, 0) = random.uniform();
    seen.points(i, 1 + level) = std::sqrt(0.5);
    seen.points(i, 3 + level) = 1;
    seen.values[i] = 1.4 * std::sin(3 * seen.points(i, 0)) + (level == 1 ? times : 1.0) * 0.1 * random.normal();
  }
  seen.values.array() -= seen.values.mean();
  return seen;
}

/// By how much the noise of the second level is found to be above that of the first.
double ratio_of(const HyperParameters& found) {
  const Eigen::VectorXd factors = found.noise_factors(Eigen::MatrixXd::Identity(2, 2));
  return std::sqrt(factors[1] / factors[0]);
}

}  // namespace

TEST_CASE("a level that makes a server restless is found, and none where there is none") {
  const HyperParameters found = fit_with_noise(restless(6), {0, 1, 1}, {0, 1});
  CHECK(ratio_of(found) > 2.5);
  CHECK(ratio_of(found) < 7);
  CHECK(HyperParameters::from(found.vector(), 2).noise_effects == found.noise_effects);
  CHECK(ratio_of(fit_with_noise(restless(1), {0, 1, 1}, {0, 1})) == Approx(1).margin(0.5));
}

TEST_CASE("without levels the noise is the same everywhere") {
  const HyperParameters found = fit_with_noise(wave(0.2), {0, 1}, {});
  CHECK(found.vector() == fit(wave(0.2), {0, 1}).vector());
  CHECK(found.noise_factors(Eigen::MatrixXd::Ones(3, 0)) == Eigen::VectorXd::Ones(3));
}
