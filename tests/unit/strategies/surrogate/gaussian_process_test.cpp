#include "strategies/surrogate/gaussian_process.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "strategies/surrogate/path.hpp"

using namespace netsettle::strategies;

namespace {

constexpr double kRoot = 1 / std::numbers::sqrt2;

/// Four observations of a number and a category of two levels, with two columns of basis.
GaussianProcess small_process() {
  Observations seen{
      .points = Eigen::MatrixXd(4, 5), .times = Eigen::VectorXd(4), .values = Eigen::VectorXd(4), .weights = Eigen::VectorXd(4)};
  seen.points << 0.1, 0, kRoot, -1.2, 0.4,  //
      0.5, kRoot, 0, 0, -1,                 //
      0.9, 0, kRoot, 1.2, 0.4,              //
      0.3, kRoot, 0, -0.6, -0.5;
  seen.times << 1, 2, 5, 9;
  seen.values << -0.8, 0.3, 1.1, -0.2;
  seen.weights << 1, 2, 0.5, 1;
  HyperParameters hyper{
      .log_lengths = Eigen::Vector2d(-0.3, 0.4), .log_signal = -0.2, .log_main = -1, .log_noise = -1.5, .log_drift = -1.2};
  return {std::move(seen), {0, 1, 1}, std::move(hyper)};
}

Eigen::MatrixXd two_points() {
  Eigen::MatrixXd points(2, 5);
  points << 0.2, kRoot, 0, -0.9, -0.1,  //
      0.8, 0, kRoot, 0.9, 0.1;
  return points;
}

}  // namespace

TEST_CASE("mean, spread and covariance equal those of NumPy") {
  // NumPy 1.24, the formulas of the header written out with numpy.linalg.solve.
  const GaussianProcess process = small_process();
  const Prediction prediction = process.predict(two_points());
  CHECK(prediction.mean[0] == Approx(-0.430897896838433).epsilon(1e-5));
  CHECK(prediction.mean[1] == Approx(0.858621984059684).epsilon(1e-5));
  CHECK(prediction.standard_deviation[0] == Approx(0.36561120298166).epsilon(1e-5));
  CHECK(prediction.standard_deviation[1] == Approx(0.341801372127384).epsilon(1e-5));
  const auto [mean, covariance] = process.joint(two_points());
  CHECK(mean[0] == Approx(-0.430897896838433).epsilon(1e-10));
  CHECK(mean[1] == Approx(0.858621984059684).epsilon(1e-10));
  CHECK(std::sqrt(covariance(0, 0)) == Approx(0.36561120298166).epsilon(1e-10));
  CHECK(covariance(0, 1) == Approx(0.05615265567394273).epsilon(1e-10));
  CHECK(process.mean(two_points())[0] == Approx(prediction.mean[0]));
}

TEST_CASE("each observation is compared with what the others say of it") {
  // NumPy 1.24: one observation after the other left out, the rest conditioned on; without the process's jitter.
  const Eigen::VectorXd residuals = small_process().leave_one_out();
  CHECK(residuals[0] == Approx(-0.8236420113290956).epsilon(1e-7));
  CHECK(residuals[1] == Approx(0.24419443111416322).epsilon(1e-7));
  CHECK(residuals[2] == Approx(1.0882872618352126).epsilon(1e-7));
  CHECK(residuals[3] == Approx(-0.13016802890957885).epsilon(1e-7));
}

TEST_CASE("paths are drawn from the posterior") {
  const GaussianProcess process = small_process();
  const auto [mean, covariance] = process.joint(two_points());
  constexpr int kDraws = 4000;
  Eigen::Vector2d sum(0, 0), squares(0, 0);
  double products = 0;
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const Eigen::VectorXd values = Path(process, random).at(two_points()) - mean;
    sum += values;
    squares += values.cwiseProduct(values);
    products += values[0] * values[1];
  }
  for (int i = 0; i < 2; ++i) {
    const double spread = std::sqrt(covariance(i, i));
    CHECK(std::abs(sum[i] / kDraws) < 5 * spread / std::sqrt(kDraws));
    CHECK(squares[i] / kDraws == Approx(covariance(i, i)).epsilon(0.12));
  }
  CHECK(products / kDraws == Approx(covariance(0, 1)).margin(0.012));
}

TEST_CASE("drift that fades by the time is the same whichever pair is asked") {
  const Eigen::VectorXd times = (Eigen::VectorXd(4) << 1, 2, 7, 60).finished();
  const Eigen::MatrixXd correlation = drift_correlation(times);
  for (Eigen::Index i = 0; i < 4; ++i)
    for (Eigen::Index j = 0; j < 4; ++j)
      CHECK(correlation(i, j) == Approx(std::exp(-std::abs(times[i] - times[j]) / kDriftTime)).epsilon(1e-12));
}

TEST_CASE("drift is taken off the predictions") {
  // The same configuration again and again while the machine slows down, then another as fast as the first was at the end.
  constexpr Eigen::Index kTrials = 40;
  Observations seen{.points = Eigen::MatrixXd::Zero(kTrials, 1),
                    .times = Eigen::VectorXd::LinSpaced(kTrials, 0, kTrials - 1),
                    .values = Eigen::VectorXd::LinSpaced(kTrials, 1, -1),
                    .weights = Eigen::VectorXd::Ones(kTrials)};
  seen.points(kTrials - 1, 0) = 1;
  const GaussianProcess process(
      seen, {0}, {.log_lengths = Eigen::VectorXd::Constant(1, -1), .log_signal = 0, .log_main = -9, .log_noise = -3, .log_drift = 0});
  const Eigen::VectorXd mean = process.mean((Eigen::MatrixXd(2, 1) << 0, 1).finished());
  CHECK(std::abs(mean[1] - mean[0]) < 0.15);
}
