#pragma once
// What a model believes of configurations, measured or not. By the model only: whoever prints a number of it says so, with its spread.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datasets/model/configuration.hpp"
#include "strategies/statistics/posterior.hpp"

namespace netsettle::strategies {

/// Of several configurations together: normal, of ln(configuration / baseline), more is better.
struct JointBelief {
  std::vector<double> mean;
  std::vector<double> covariance;  // row after row

  /// ln(i / baseline).
  NormalBelief of(std::size_t i) const;
  /// ln(i / versus): what both have in common cancels.
  NormalBelief difference(std::size_t i, std::size_t versus) const;
};

class EffectModel {
 public:
  virtual ~EffectModel() = default;
  virtual JointBelief joint(const std::vector<Configuration>& configurations) const = 0;
  /// The means alone: for many configurations.
  virtual std::vector<double> means(const std::vector<Configuration>& configurations) const = 0;
  /// `count` functions drawn from what is believed, each at all of the configurations; up to a constant of each draw.
  virtual std::vector<std::vector<double>> draws(const std::vector<Configuration>& configurations, int count, std::uint64_t seed) const = 0;
};

}  // namespace netsettle::strategies
