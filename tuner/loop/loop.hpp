#pragma once
// The optimizer loop: ask, plan a block, run, record, tell, decide; resume, budget, stop. One call is one session of a study.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/experiment_file.hpp"
#include "datasets/store/store.hpp"
#include "runners/settings/guard.hpp"
#include "tuner/loop/observer.hpp"
#include "tuner/loop/preparation.hpp"
#include "tuner/loop/record_check.hpp"

namespace netsettle::tuner {

struct SessionOptions {
  std::filesystem::path database;
  std::vector<std::string> overrides;  // "--set" texts, for the record
  std::vector<std::string> argv;
  std::optional<std::string> until;                       // --until: replaces the recorded instant
  std::optional<std::filesystem::path> import_from = {};  // a record whose trials a new study begins with
  runners::GuardPaths guard_paths;
  std::filesystem::path guard_program;
};

enum class SessionEnd {
  finished,     // the study has its verdict
  interrupted,  // a signal, or `stop`
  aborted,      // abort_if, disk full, the guard died
};

struct SessionResult {
  SessionEnd end = SessionEnd::finished;
  std::string reason;  // for `aborted`, one sentence
  runners::RestoreReport restored;
};

/// Runs the study until it is finished, interrupted or aborted, and gives the machine back in every case. Errors are those after which
/// nothing was changed (busy, mismatch, settings that do not exist in the rig, a full disk); `restored` tells of everything else.
std::expected<SessionResult, Errors> run_session(runners::Host& host, const Experiment& experiment, const Machine& machine,
                                                 const SessionOptions& options, Observer& observer, runners::StopFlag& stop,
                                                 runners::StopFlag& after_trial);

}  // namespace netsettle::tuner
