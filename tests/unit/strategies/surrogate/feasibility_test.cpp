#include "strategies/surrogate/feasibility.hpp"

#include <catch2/catch.hpp>

using namespace netsettle::strategies;

TEST_CASE("everything is feasible while nothing failed") { CHECK(Feasibility().probability(Eigen::MatrixXd::Zero(3, 2)).isOnes()); }

TEST_CASE("a border between what works and what fails is found") {
  constexpr Eigen::Index kPoints = 21;
  Eigen::MatrixXd points(kPoints, 1);
  points.col(0) = Eigen::VectorXd::LinSpaced(kPoints, 0, 1);
  const Eigen::VectorXd labels = (points.col(0).array() < 0.62).select(Eigen::VectorXd::Ones(kPoints), -Eigen::VectorXd::Ones(kPoints));
  const HyperParameters hyper = fit(label_observations(points, labels), {0});
  const Feasibility feasibility(points, labels, {0}, hyper);
  const Eigen::VectorXd probability = feasibility.probability((Eigen::MatrixXd(3, 1) << 0.1, 0.625, 0.95).finished());
  CHECK(probability[0] > 0.95);
  CHECK(probability[1] > 0.1);
  CHECK(probability[1] < 0.9);
  CHECK(probability[2] < 0.05);
}
