#pragma once
// What `rerun`, `compare` and `confirm` share: a record whose configurations are measured again here, as trials of a person's own.

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/cli/record.hpp"
#include "tuner/cli/rig_command.hpp"
#include "tuner/loop/own_trials.hpp"

namespace netsettle::tuner {

struct OwnWork {
  Record record;
  std::string command;  // "rerun", for the record's session
  Arguments arguments;
  bool is_recorded = true;
  bool as_json = false;
};

/// Refuses a record whose trials another program ran, or that was made of files.
Expected<void> check_own_rig(const Record& record);

/// Exit code and printed reason where the record belongs to another machine and would be written.
std::optional<int> refuse_other_machine(const OwnWork& work, const Experiment& experiment, const Machine& machine);

/// Runs the trials in their order, commits each, and prints a line a trial with the time left. An invalid one is run again in its place, up
/// to `attempts` times. Ends early after a signal and where abort_if holds (said on standard error). The trials that ended, or the exit
/// code after a printed failure: not as the study found it (6), a record that cannot be written.
std::expected<std::vector<Trial>, int> run_own_trials(const OwnWork& own, const RigWork& work, const std::vector<OwnTrial>& planned,
                                                      int attempts);

}  // namespace netsettle::tuner
