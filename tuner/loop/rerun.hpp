#pragma once
// Trials of a record measured again: whether what was found then is found now. They are a person's own (purpose manual): neither the search
// nor a confirmation sees them.

#include <functional>
#include <optional>
#include <vector>

#include "datasets/store/store.hpp"
#include "strategies/racing/next_step.hpp"
#include "tuner/loop/trial_session.hpp"

namespace netsettle::tuner {

struct RerunRequest {
  std::int64_t configuration_id = 0;
  std::optional<std::int64_t> trial_id;  // that trial: with the source ports that it had
  int repeats = 1;
};

struct RerunTrial {
  std::int64_t configuration_id = 0;
  int block = 0;  // -1, -2, …: the blocks of the study are numbered upwards
  int position = 0;
  int ports_block = 0;  // chooses the source ports
  std::uint64_t seed = 0;
};

/// One trial; several are interleaved with the baseline, a block of both for each, in random order. Failure: not_found.
Expected<std::vector<RerunTrial>> plan_rerun(const StudyView& study, const RerunRequest& request);

/// Runs one and, where there is a record to write, commits it. Fails only where the record cannot be written.
Expected<Trial> run_again(TrialSession& session, datasets::Store* store, const StudyView& study, const RerunTrial& trial,
                          const runners::StopFlag& stop, const std::function<std::int64_t()>& now_us,
                          const std::function<void(TrialState)>& on_state);

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
