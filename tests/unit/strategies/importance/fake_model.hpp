#pragma once
// A model that knows the truth, with the same independent doubt about each configuration but the baseline.

#include <functional>

#include "strategies/designs/random.hpp"
#include "strategies/importance/effect_model.hpp"
#include "tests/unit/strategies/support.hpp"

namespace netsettle::strategies {

class FakeModel final : public EffectModel {
 public:
  /// `effect`: ln(configuration / baseline).
  FakeModel(std::function<double(const Configuration&)> effect, double deviation) : effect_(std::move(effect)), deviation_(deviation) {}

  JointBelief joint(const std::vector<Configuration>& configurations) const override {
    const std::size_t n = configurations.size();
    JointBelief belief{.mean = means(configurations), .covariance = std::vector<double>(n * n, 0.0)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (configurations[i] == configurations[j] && belief.mean[i] != 0) belief.covariance[i * n + j] = deviation_ * deviation_;
    return belief;
  }
  std::vector<double> means(const std::vector<Configuration>& configurations) const override {
    std::vector<double> values;
    for (const Configuration& configuration : configurations) values.push_back(effect_(configuration));
    return values;
  }
  std::vector<std::vector<double>> draws(const std::vector<Configuration>& configurations, int count, std::uint64_t seed) const override {
    Random random(seed);
    std::vector<std::vector<double>> drawn;
    for (int i = 0; i < count; ++i) {
      drawn.push_back(means(configurations));
      for (double& value : drawn.back()) value += deviation_ * random.normal();
    }
    return drawn;
  }

 private:
  std::function<double(const Configuration&)> effect_;
  double deviation_;
};

/// The number of a parameter; `otherwise` where it is inactive or as found.
inline double number_of(const Configuration& configuration, const std::string& name, double otherwise) {
  const auto value = configuration.values.find(name);
  if (value == configuration.values.end()) return otherwise;
  const auto* const number = std::get_if<std::int64_t>(&value->second);
  return number == nullptr ? otherwise : static_cast<double>(*number);
}

}  // namespace netsettle::strategies
