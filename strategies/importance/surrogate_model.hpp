#pragma once
// The surrogate of a study as an EffectModel.

#include "strategies/importance/effect_model.hpp"
#include "strategies/surrogate/surrogate.hpp"

namespace netsettle::strategies {

class SurrogateModel final : public EffectModel {
 public:
  /// `baseline`: of the study's space.
  SurrogateModel(Surrogate surrogate, Configuration baseline) : surrogate_(std::move(surrogate)), baseline_(std::move(baseline)) {}

  JointBelief joint(const std::vector<Configuration>& configurations) const override;
  std::vector<double> means(const std::vector<Configuration>& configurations) const override;
  std::vector<std::vector<double>> draws(const std::vector<Configuration>& configurations, int count, std::uint64_t seed) const override;

 private:
  Surrogate surrogate_;
  Configuration baseline_;
};

}  // namespace netsettle::strategies
