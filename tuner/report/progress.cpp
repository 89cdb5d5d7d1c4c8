#include "tuner/report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/report/report_data.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {

namespace {

std::string phase_text(Purpose phase) {
  switch (phase) {
    case Purpose::pilot:
      return "pilot (the machine's own noise)";
    case Purpose::confirm:
      return "confirmation";
    default:
      return std::string(to_text(phase));
  }
}

std::string of_trials(const std::optional<int>& trials) { return trials ? fmt::format(" of {}", *trials) : ""; }

/// The codes are enough where there is a number; 'show trial N' has the sentences.
std::string codes_of(const Trial& trial) {
  std::string text;
  for (const Reason& reason : trial.reasons) text += (text.empty() ? "" : ", ") + reason.code;
  return text;
}

std::string sentences_of(const Trial& trial) {
  std::string text;
  for (const Reason& reason : trial.reasons)
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", reason.code, reason.detail.empty() ? "" : ": ", reason.detail);
  return text;
}

std::string result_text(const StudyView& study, const Trial& trial) {
  const std::string& metric = study.experiment.objective.maximize;
  const auto value = trial.measurements.find(metric);
  if (trial.outcome == Outcome::measured && value != trial.measurements.end()) {
    const std::string codes = codes_of(trial);
    return fmt::format("{} {}{}{}", quantity(value->second), metric, trial.suspect ? ", suspect" : "",
                       codes.empty() ? "" : " (" + codes + ")");
  }
  const std::string sentences = sentences_of(trial);
  const std::string_view what = trial.outcome ? to_text(*trial.outcome) : to_text(trial.state);
  return fmt::format("{}{}{}", what, sentences.empty() ? "" : ": ", sentences);
}

}  // namespace

std::string progress_line(const Progress& progress, std::size_t width) {
  std::string line = fmt::format("{}: trial {}{}", phase_text(progress.phase), progress.trial, of_trials(progress.trials));
  if (!progress.step.empty()) line += fmt::format(" ({})", progress.step);
  if (progress.left) line += fmt::format(", {} left", format_duration_us(std::chrono::microseconds(*progress.left).count()));
  if (progress.best)
    line +=
        fmt::format(", best so far configuration {} with {} {}", progress.best->first, quantity(progress.best->second), progress.metric);
  return cut(line, width);
}

std::string trial_line(const StudyView& study, const Trial& trial, std::optional<int> trials) {
  const StudyConfiguration* configuration = find_configuration(study, trial.configuration_id);
  // Numbers of the record, in which trials of another one and those that were cut off have theirs, too.
  const auto others = std::ranges::count_if(study.trials, [&](const Trial& other) {
    return other.id < trial.id && (other.imported_from || other.state == TrialState::interrupted);
  });
  const std::string number = others == 0 ? fmt::format("{}{}", trial.id, of_trials(trials))
                                         : fmt::format("{} ({}{})", trial.id, trial.id - others, of_trials(trials));
  return fmt::format("trial {}, {}: configuration {} ({}): {}\n", number, to_text(trial.purpose), trial.configuration_id,
                     configuration ? changes(study, configuration->configuration) : "unknown", result_text(study, trial));
}

}  // namespace netsettle::tuner
