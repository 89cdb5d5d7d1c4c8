#pragma once
// The model of a study: what its pilot and search trials say about every configuration of the space, measured or not. A pure function of
// the record; makes no claims.

#include <optional>
#include <set>

#include "datasets/model/study_view.hpp"
#include "strategies/surrogate/feasibility.hpp"
#include "strategies/surrogate/features.hpp"
#include "strategies/surrogate/gaussian_process.hpp"
#include "strategies/surrogate/memory.hpp"

namespace netsettle::strategies {

/// One measured trial.
struct SeenTrial {
  std::int64_t configuration_id = 0;
  double time = 0;       // in trials
  double log_value = 0;  // of the objective, more is better
};

/// What the model is made of; how it is read from a record is the caller's business (which trials count, which configurations failed).
struct SurrogateData {
  std::vector<SeenTrial> trials;  // in the order of time
  /// Of configurations that were tried: whether it worked.
  std::map<std::int64_t, bool> works;
};

class Surrogate {
 public:
  /// nullopt below three measured trials, or without one of the baseline.
  static std::optional<Surrogate> of(const StudyView& study, const SurrogateData& data, SurrogateMemory* memory = nullptr);

  const Features& features() const { return features_; }
  const GaussianProcess& process() const { return *process_; }
  /// ln(objective) = level() + scale() × what the process says.
  double level() const { return level_; }
  double scale() const { return scale_; }
  /// Of rows of points: standard deviation of ln(objective) of one trial as their settings let expect, drift taken off.
  Eigen::VectorXd noise(const Eigen::MatrixXd& points) const;
  const Feasibility& feasibility() const { return feasibility_; }

  /// ln(configuration / baseline): means and covariance of rows of points.
  std::pair<Eigen::VectorXd, Eigen::MatrixXd> versus_baseline(const Eigen::MatrixXd& points) const;

 private:
  explicit Surrogate(const SearchSpace& space) : features_(space) {}

  Features features_;
  std::optional<GaussianProcess> process_;
  Feasibility feasibility_;
  Eigen::RowVectorXd baseline_;
  double level_ = 0, scale_ = 1;
};

}  // namespace netsettle::strategies
