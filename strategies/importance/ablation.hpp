#pragma once
// The way from one configuration to another, one parameter at a time, the one that gains most first (Fawcett & Hoos 2016): which changes
// bought the difference, by the model.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/search_space.hpp"
#include "strategies/importance/effect_model.hpp"

namespace netsettle::strategies {

struct ValueChange {
  std::string parameter;
  std::optional<Value> from, to;  // absent: not active there
};

struct AblationStep {
  std::vector<ValueChange>
      changes;  // usually one; a conditional one comes with its parent, and what a constraint ties together goes together
  Configuration after;
  NormalBelief gain;    // ln(after / before)
  NormalBelief so_far;  // ln(after / start)
};

/// From `start` to `end`, both canonical. Each step satisfies the constraints: where no single change does, two are made together, and
/// where that does not help either, all that are left. Empty where both are equal.
std::vector<AblationStep> ablation_path(const SearchSpace& space, const EffectModel& model, const Configuration& start,
                                        const Configuration& end);

}  // namespace netsettle::strategies
