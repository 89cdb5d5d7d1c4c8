#include "strategies/worlds/recorded_machine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "strategies/designs/sample.hpp"
#include "strategies/surrogate/features.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kLeastWidth = 0.05;  // of the kernel
constexpr int kLeastConfigurations = 3;
constexpr std::size_t kLeastResiduals = 6;
constexpr int kCandidates = 2000;

/// What the record has of one configuration.
struct Recorded {
  Configuration configuration;
  std::vector<double> logarithms;  // of the objective
  bool failed = false;             // in some trial
};

std::vector<Recorded> recorded_configurations(const StudyView& study) {
  std::vector<Recorded> all;
  for (const StudyConfiguration& known : study.configurations) {
    Recorded recorded{.configuration = known.configuration, .logarithms = {}};
    for (const Trial& trial : study.trials) {
      if (trial.configuration_id != known.id || !trial.outcome) continue;
      if (*trial.outcome == Outcome::failed) recorded.failed = true;
      const auto value = trial.measurements.find(study.experiment.objective.maximize);
      if (*trial.outcome != Outcome::measured || value == trial.measurements.end() || value->second <= 0) continue;
      recorded.logarithms.push_back(std::log(value->second));
    }
    if (recorded.failed || !recorded.logarithms.empty()) all.push_back(std::move(recorded));
  }
  return all;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Around each configuration's own mean, with the spread that the mean took away given back.
std::vector<double> residuals_of(const std::vector<Recorded>& all) {
  std::vector<double> residuals;
  for (const Recorded& recorded : all) {
    const double n = static_cast<double>(recorded.logarithms.size());
    if (n < 2) continue;
    const double mean = mean_of(recorded.logarithms);
    for (const double value : recorded.logarithms) residuals.push_back((value - mean) * std::sqrt(n / (n - 1)));
  }
  return residuals;
}

class Smoother {
 public:
  Smoother(const SearchSpace& space, const std::vector<Recorded>& all) : features_(space) {
    for (const Recorded& recorded : all) {
      const bool measured = !recorded.logarithms.empty();
      points_.push_back(features_.point(recorded.configuration));
      trials_.push_back(static_cast<double>(recorded.logarithms.size()));
      means_.push_back(measured ? mean_of(recorded.logarithms) : 0);
    }
    width_ = std::max(kLeastWidth, nearest_distance() / 2);
  }

  double log_value(const Configuration& configuration) const {
    const Eigen::RowVectorXd point = features_.point(configuration);
    const std::size_t nearest = nearest_measured(point);
    const double least = distance(point, nearest);
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      // Relative to the nearest one: far from all of them the weights do not vanish together.
      const double weight = trials_[i] * std::exp((least * least - std::pow(distance(point, i), 2)) / (2 * width_ * width_));
      sum += weight * means_[i];
      weights += weight;
    }
    return sum / weights;
  }

  bool fails(const Configuration& configuration) const {
    const Eigen::RowVectorXd point = features_.point(configuration);
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < points_.size(); ++i)
      if (distance(point, i) < distance(point, nearest)) nearest = i;
    return trials_[nearest] == 0;
  }

 private:
  double distance(const Eigen::RowVectorXd& point, std::size_t i) const { return (point - points_[i]).norm(); }

  std::size_t nearest_measured(const Eigen::RowVectorXd& point) const {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (trials_[i] > 0 && (!nearest || distance(point, i) < distance(point, *nearest))) nearest = i;
    return nearest.value();
  }

  /// The median over the configurations.
  double nearest_distance() const {
    std::vector<double> nearest;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < points_.size(); ++j)
        if (j != i) least = std::min(least, distance(points_[i], j));
      nearest.push_back(least);
    }
    std::ranges::nth_element(nearest, nearest.begin() + std::ssize(nearest) / 2);
    return nearest[nearest.size() / 2];
  }

  Features features_;
  std::vector<Eigen::RowVectorXd> points_;
  std::vector<double> trials_, means_;
  double width_ = 1;
};

World world_of(std::shared_ptr<const Smoother> smoother, const SearchSpace& space, std::vector<double> residuals) {
  const double level = smoother->log_value(space.baseline());
  World world{.level = std::exp(level), .residuals = std::move(residuals)};
  world.effect = [smoother, level](const Configuration& configuration) { return std::expm1(smoother->log_value(configuration) - level); };
  world.fails = [smoother, baseline = space.baseline()](const Configuration& configuration) {
    return configuration != baseline && smoother->fails(configuration);
  };
  return world;
}

void find_optimum(TestMachine& machine, const std::vector<Recorded>& all) {
  const auto consider = [&](const Configuration& configuration) {
    const double mean = truth_of(machine.world, configuration).mean;
    if (mean <= machine.optimum) return;
    machine.optimum = mean;
    machine.best = configuration;
  };
  for (const Recorded& recorded : all) consider(recorded.configuration);
  Random random(derive_seed(1, kCandidates));
  for (int i = 0; i < kCandidates; ++i)
    if (const auto candidate = draw_configuration(machine.space, random)) consider(*candidate);
}

}  // namespace

Expected<TestMachine> recorded_machine(const StudyView& study) {
  const std::string subject = study.experiment.study.name;
  const std::vector<Recorded> all = recorded_configurations(study);
  const auto measured = std::ranges::count_if(all, [](const Recorded& recorded) { return !recorded.logarithms.empty(); });
  if (measured < kLeastConfigurations)
    return fail(ErrorCode::not_found, subject,
                "the record has fewer than 3 configurations with a measured trial; a machine cannot be made of them");
  std::vector<double> residuals = residuals_of(all);
  if (residuals.size() < kLeastResiduals)
    return fail(ErrorCode::not_found, subject,
                "the record has fewer than 6 trials of configurations that were measured twice; how noisy the machine is cannot be told");
  TestMachine machine{.name = subject,
                      .about = "what the record of this study shows",
                      .experiment = study.experiment,
                      .space = study.space,
                      .world = world_of(std::make_shared<Smoother>(study.space, all), study.space, std::move(residuals))};
  machine.experiment.objective.subject_to.clear();
  machine.experiment.budget = {};
  find_optimum(machine, all);
  return machine;
}

}  // namespace netsettle::strategies
