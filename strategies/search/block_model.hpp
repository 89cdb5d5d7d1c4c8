#pragma once
// The linear mixed model behind standing.hpp: level (fixed), blocks and configurations (random), solved exactly.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "strategies/statistics/posterior.hpp"

namespace netsettle::strategies {

struct BlockObservation {
  std::int64_t configuration = 0;
  int block = 0;
  double log_value = 0;
};

struct BlockModelFit {
  double level = 0;                              // of the baseline
  NormalBelief prior;                            // of a configuration that was not measured
  std::map<std::int64_t, NormalBelief> effects;  // ln(configuration / baseline), every measured configuration but the baseline
};

/// `noise`: standard deviation of one observation within a block, > 0. nullopt without an observation of the baseline.
/// Cost: the cube of the number of configurations; blocks cost no more than their observations.
std::optional<BlockModelFit> fit_block_model(const std::vector<BlockObservation>& observations, double noise);

}  // namespace netsettle::strategies
