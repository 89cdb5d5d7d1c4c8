#pragma once
// A running study on the terminal: one line that is overwritten, or a line a trial where there is no terminal.

#include <string>

#include "tuner/loop/observer.hpp"

namespace netsettle::tuner {

class TerminalObserver final : public Observer {
 public:
  TerminalObserver();
  void note(const std::string& sentence) override;
  void progress(const Progress& progress, TrialState state) override;
  void trial_ended(const Trial& trial, const Progress& progress, const StudyView& study) override;
  /// Leaves the progress line.
  void end();

 private:
  void clear_line();

  int width_;  // 0: no terminal
  bool on_line_ = false;
};

/// The final table and the verdict of a record, or its JSON.
enum class Format { text, json };
int print_outcome(const std::string& database, Format format);

}  // namespace netsettle::tuner
