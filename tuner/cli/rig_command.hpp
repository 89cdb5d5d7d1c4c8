#pragma once
// What `trial` and `calibrate` share: the file and the machine checked, the rig made, ctrl-C, the machine given back.

#include <functional>
#include <string>
#include <vector>

#include "tuner/cli/command.hpp"
#include "tuner/loop/trial_session.hpp"

namespace netsettle::tuner {

/// What the work of such a command needs.
struct RigWork {
  const Experiment& experiment;
  const Machine& machine;
  TrialSession& session;
  const runners::StopFlag& stop;
};

/// Reads FILE with --set and `more` overrides, opens the rig, works in it and gives the machine back. Returns the exit code: that of the
/// work, or of what went wrong before or after it; 130 or 143 after a signal.
int work_in_rig(const CommandLine& line, const std::vector<Override>& more, const std::function<int(const RigWork&)>& work);

/// The same for an experiment that is known already. `before`: what else has to hold, asked before anything is touched; an exit code
/// where it does not.
int work_in_rig_of(const Experiment& experiment, const std::function<std::optional<int>(const Machine&)>& before,
                   const std::function<int(const RigWork&)>& work);

/// Gives back what a run that died has left. The exit code where that fails.
std::optional<int> clean_up_after_crash(const runners::GuardPaths& paths);

/// One line that is overwritten, on a terminal only.
class StepLine {
 public:
  explicit StepLine(bool silent) : width_(silent ? 0 : terminal_width()) {}
  void show(const std::string& text);
  void clear();

 private:
  int width_;
  bool shown_ = false;
};

}  // namespace netsettle::tuner
