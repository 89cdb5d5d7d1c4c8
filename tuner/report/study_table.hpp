#pragma once
// What a person reads when a study ends: the configurations, the verdict, the caveats.

#include <cstddef>
#include <limits>
#include <string>

#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

struct TableOptions {
  std::size_t width = 80;                                      // columns of the terminal
  std::size_t rows = std::numeric_limits<std::size_t>::max();  // more configurations are counted, not shown
};

/// One line a configuration, baseline first, then the better first: id, n, mean, minimum, maximum of the objective, difference to the
/// baseline with its 95 % interval (within blocks, all phases), failed and invalid trials where there are any, what it changes.
std::string configurations_table(const ReportData& data, const TableOptions& options);

/// configurations_table, the verdict sentence (or that there is none yet), the caveats.
std::string final_report(const ReportData& data, const TableOptions& options);

/// One line a trial: id, block, purpose, configuration, objective, outcome with its reasons.
std::string trials_table(const StudyView& study, std::size_t width);

}  // namespace netsettle::tuner
