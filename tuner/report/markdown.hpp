#pragma once
// The report of a study as Markdown, for a ticket or a mailing list: what was measured, the result, the noise, how to repeat it.

#include <optional>
#include <string>
#include <vector>

#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

/// Settings of one measured trial of a configuration, from Store::applied.
struct SettingsOf {
  std::int64_t configuration_id = 0;
  std::vector<AppliedSetting> rows;
};

/// `settings`: of the baseline and of the leader, as far as the record has them; at most 30 configurations are shown.
std::string markdown_report(const ReportData& data, const std::vector<SettingsOf>& settings, const std::string& explanation = "");

}  // namespace netsettle::tuner
