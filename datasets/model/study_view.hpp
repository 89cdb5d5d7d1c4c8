#pragma once
// What strategies may look at: the experiment, the space and everything recorded, in the order of the record.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/configuration.hpp"
#include "datasets/model/decision.hpp"
#include "datasets/model/experiment.hpp"
#include "datasets/model/search_space.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle {

struct StudyConfiguration {
  std::int64_t id = 0;  // 1 is the baseline
  Configuration configuration;
  std::string origin;  // "baseline", "start", "sweep", "random"
};

inline constexpr std::int64_t kBaselineId = 1;

struct StudyView {
  Experiment experiment;
  SearchSpace space;
  std::vector<StudyConfiguration> configurations;  // by id
  std::vector<Trial> trials;                       // by id
  std::vector<Decision> decisions;                 // by id
};

}  // namespace netsettle
