#pragma once
// One configuration in numbers: where its trials lie, how steady they are, how it compares, how long a trial of it should be. For
// exploring: nothing here is a claim of the study.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "strategies/statistics/bootstrap.hpp"
#include "strategies/statistics/comparison.hpp"
#include "strategies/statistics/dip.hpp"
#include "strategies/statistics/location.hpp"
#include "strategies/statistics/ratio.hpp"
#include "strategies/statistics/stability.hpp"
#include "strategies/statistics/trial_length.hpp"
#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

/// What one trial showed within its window.
struct TrialSeries {
  std::vector<double> rates;  // of the intervals
  double interval_s = 1;
  double overhead_s = 0;  // of the trial besides its window
};

struct ConfigurationFigures {
  std::int64_t id = 0;
  int failed = 0, invalid = 0;  // trials
  std::vector<double> values;   // of the objective, in the order of time
  std::optional<strategies::LocationInterval> mean, median;
  std::optional<strategies::LocationInterval> typical;           // Hodges and Lehmann's
  std::optional<strategies::Stability> stability;                // of the objective turned so that more is better
  std::optional<strategies::DipTest> dip;                        // from 30 values on
  int shared_blocks = 0;                                         // with the baseline
  std::optional<strategies::PairedComparison> versus_baseline;   // in them, of logarithms
  std::optional<strategies::RatioInterval> ratio;                // of arithmetic means as measured, by formula
  std::optional<strategies::BootstrapInterval> bootstrap_ratio;  // the same without one
  std::optional<strategies::TrialLength> length;                 // absent where fewer than two trials have a series
};

/// Absent where fewer than two intervals lie in the window.
std::optional<TrialSeries> series_of(const Experiment& experiment, const Trial& trial, const std::vector<Interval>& intervals);

/// From study_trials() and the blocks of search and confirmation. `series`: of its measured trials.
ConfigurationFigures figures_of(const StudyView& study, std::int64_t id, std::span<const TrialSeries> series);

/// Some lines; nothing is said of what could not be computed.
std::string configuration_text(const StudyView& study, const ConfigurationFigures& figures);

/// The same as a document.
std::string configuration_json(const StudyView& study, const ConfigurationFigures& figures);

}  // namespace netsettle::tuner
