#pragma once
// Trials of a record measured again: whether what was found then is found now.

#include <optional>
#include <vector>

#include "strategies/racing/next_step.hpp"
#include "tuner/loop/own_trials.hpp"

namespace netsettle::tuner {

struct RerunRequest {
  std::int64_t configuration_id = 0;
  std::optional<std::int64_t> trial_id;  // that trial: with the source ports that it had
  int repeats = 1;
};

/// One trial; several are interleaved with the baseline, a block of both for each, in random order. Failure: not_found.
Expected<std::vector<OwnTrial>> plan_rerun(const StudyView& study, const RerunRequest& request);

struct Values {
  int n = 0;
  double mean = 0, minimum = 0, maximum = 0;
};

struct RerunComparison {
  std::optional<Values> before, now;                  // measured values of the objective; absent: there are none
  std::optional<strategies::Interval95> change;       // of the level, now against before
  std::optional<strategies::Interval95> gain_before;  // against the baseline, within blocks
  std::optional<strategies::Interval95> gain_now;
  std::optional<strategies::Interval95> gain_change;  // of the ratio to the baseline, which the machine's drift does not move
  std::optional<bool> agrees;                         // by gain_change where there is one, else by change; absent: too few trials
};

/// `study`: the record before; `trials`: what was measured now.
RerunComparison compare_rerun(const StudyView& study, std::int64_t configuration_id, const std::vector<Trial>& trials);

}  // namespace netsettle::tuner
