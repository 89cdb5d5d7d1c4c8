#pragma once
// What makes one experiment another, key by key, for people who want to continue a study.

#include <string>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "datasets/model/search_space.hpp"

namespace netsettle {

/// Everything that experiment_hash covers, one "key=value" per line; texts with their length before them.
std::string canonical_text(const Experiment& experiment);

struct ExperimentDifference {
  std::string key;          // "load.clients", "parameters.rmem.high"
  std::string before, now;  // empty: not there
};

/// By key.
std::vector<ExperimentDifference> differences(const Experiment& before, const Experiment& now);

/// True where the difference is about which values a parameter may have, and nothing else.
bool is_about_a_domain(const ExperimentDifference& difference);

/// Why `now` does not hold every configuration that `before` held, one sentence for each parameter; empty: it does.
std::vector<std::string> narrowed(const std::vector<Domain>& before, const std::vector<Domain>& now);

}  // namespace netsettle
