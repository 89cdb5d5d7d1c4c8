#pragma once
// Random configurations of a search space.

#include <optional>

#include "datasets/model/search_space.hpp"
#include "strategies/designs/random.hpp"

namespace netsettle::strategies {

struct SampleOptions {
  double special = 0.2;    // probability of a special value, where the parameter has some
  double as_found = 0.15;  // probability of leaving a parameter as it was found
  int attempts = 200;      // draws before the constraints are given up on
};

/// One value of a domain: as-found, a special value, or uniform over the levels or the range on the parameter's scale.
Value draw_value(const Domain& domain, Random& random, const SampleOptions& options = {});

/// A canonical configuration that satisfies the constraints, by rejection; nullopt where no draw did.
std::optional<Configuration> draw_configuration(const SearchSpace& space, Random& random, const SampleOptions& options = {});

}  // namespace netsettle::strategies
