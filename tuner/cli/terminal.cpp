#include "tuner/cli/terminal.hpp"

#include <fmt/format.h>

#include "tuner/cli/command.hpp"

namespace netsettle::tuner {
namespace {

std::string_view step_name(TrialState state) {
  switch (state) {
    case TrialState::applying:
      return "applying settings";
    case TrialState::warmup:
      return "warm-up";
    case TrialState::measuring:
      return "measuring";
    default:
      return "";
  }
}

}  // namespace

TerminalObserver::TerminalObserver() : width_(terminal_width()) {}

void TerminalObserver::clear_line() {
  if (on_line_) fmt::print("\r\033[K");
  on_line_ = false;
}

void TerminalObserver::end() {
  clear_line();
  std::fflush(stdout);
}

void TerminalObserver::note(const std::string& sentence) {
  clear_line();
  fmt::print("{}\n", sentence);
  std::fflush(stdout);
}

void TerminalObserver::progress(const Progress& progress, TrialState state) {
  if (width_ == 0) return;
  Progress shown = progress;
  shown.step = step_name(state);
  clear_line();
  const auto columns = static_cast<std::size_t>(width_ - 1);
  fmt::print("{}", progress_line(shown, columns));
  std::fflush(stdout);
  on_line_ = true;
}

void TerminalObserver::trial_ended(const Trial& trial, const Progress& progress, const StudyView& study) {
  // On a terminal only what is worth reading stays; elsewhere (a log) every trial has its line.
  const bool worth_a_line = trial.outcome && *trial.outcome != Outcome::measured;
  if (width_ != 0 && !worth_a_line) return;
  clear_line();
  fmt::print("{}", trial_line(study, trial, progress.trials));
  std::fflush(stdout);
}

}  // namespace netsettle::tuner
