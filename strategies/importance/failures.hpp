#pragma once
// What failed where: configurations with failed trials, and what they have in common that no working one has.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// Every configuration of the record with this value (or one beyond it) failed, and there are several.
struct FailurePattern {
  enum class Kind { equal, at_least, at_most };
  std::string parameter;
  Kind kind = Kind::equal;
  Value value;
  int configurations = 0;  // that failed
};

struct FailureSummary {
  int trials = 0;                            // that the configuration made fail
  std::vector<std::int64_t> configurations;  // with such a trial, by id
  int tried = 0;                             // configurations with a measured or failed trial
  std::map<std::string, int> reasons;        // code → trials
  std::vector<FailurePattern> patterns;
};

/// Of the study's own course; invalid trials are no failures of a configuration. A pattern needs two configurations on its side.
FailureSummary failure_summary(const StudyView& study);

}  // namespace netsettle::strategies
