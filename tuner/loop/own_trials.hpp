#pragma once
// Trials that a person asks for (purpose manual): configurations of a record in fresh blocks. Neither the search nor a confirmation sees
// them.

#include <functional>
#include <optional>
#include <vector>

#include "datasets/store/store.hpp"
#include "tuner/loop/trial_session.hpp"

namespace netsettle::tuner {

struct OwnTrial {
  std::int64_t configuration_id = 0;
  int block = 0;  // -1, -2, …: the blocks of the study are numbered upwards
  int position = 0;
  int attempt = 1;
  std::optional<std::int64_t> retry_of;
  int ports_block = 0;  // chooses the source ports
  std::uint64_t seed = 0;
};

/// `blocks` blocks of all of these configurations, each in a random order of its own. Failure: not_found.
Expected<std::vector<OwnTrial>> plan_own_blocks(const StudyView& study, const std::vector<std::int64_t>& configurations, int blocks);

/// Runs one and, where there is a record to write, commits it. Fails only where the record cannot be written.
Expected<Trial> run_own_trial(TrialSession& session, datasets::Store* store, const StudyView& study, const OwnTrial& trial,
                              const runners::StopFlag& stop, const std::function<std::int64_t()>& now_us,
                              const std::function<void(TrialState)>& on_state);

}  // namespace netsettle::tuner
