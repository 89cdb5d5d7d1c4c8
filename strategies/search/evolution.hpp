#pragma once
// CMA-ES with margin: a normal distribution over the unit cube that moves and stretches towards what is better.
//
// Hansen, The CMA Evolution Strategy: A Tutorial (arXiv 1604.00772), with its default constants for positive weights; the margin of
// Hamano, Saito, Nomura & Shirakawa (GECCO 2022), which keeps the probability of another value of a discrete parameter above 1 /
// (dimensions × offspring). Knows nothing of trials: cma_es.hpp replays the record through it.

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

#include "strategies/designs/random.hpp"
#include "strategies/designs/unit_cube.hpp"

namespace netsettle::strategies {

inline constexpr double kFirstSpread = 0.2;

/// 4 + 3 ln(dimensions), rounded down.
int default_offspring(std::size_t dimensions);

class Evolution {
 public:
  /// The cell of a coordinate on an axis; nullopt where the axis is real there.
  using CellOf = std::function<std::optional<UnitCube::Cell>(std::size_t axis, double coordinate)>;

  /// The first generation: `mean` in 0..1, at least one dimension, standard deviation kFirstSpread in each.
  Evolution(CubePoint mean, CellOf cell_of);

  struct Offspring {
    Eigen::VectorXd step;  // in the metric of the covariance: (point - mean) / sigma, before the margin's stretch
    CubePoint point;       // within 0..1
  };
  Offspring sample(Random& random) const;

  /// The next generation from the offspring that were measured, best first. Fewer than two change nothing.
  void update(const std::vector<Offspring>& best_first);

  const Eigen::VectorXd& mean() const { return mean_; }
  double sigma() const { return sigma_; }
  /// Standard deviation of a coordinate, the margin's stretch included.
  double spread(std::size_t axis) const;

 private:
  void factorise();
  void keep_margin();
  void keep_margin(std::size_t axis, const UnitCube::Cell& cell);

  CellOf cell_of_;
  Eigen::VectorXd mean_;
  double sigma_ = kFirstSpread;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd axes_;     // eigenvectors
  Eigen::VectorXd lengths_;  // roots of the eigenvalues
  Eigen::VectorXd stretch_;  // the margin's diagonal matrix A
  Eigen::VectorXd sigma_path_, covariance_path_;
  int generation_ = 0;
  int offspring_ = 0;  // by default, for the margin
};

}  // namespace netsettle::strategies
