#pragma once
// The documents of `show … --json`: keys in snake_case, what is absent is null, relative differences as numbers (0.05 is +5 %), times in
// microseconds UTC. Each ends with a newline.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

/// {"study", "trials": [{"id", "configuration_id", "purpose", "block", …, "measurements": {metric: number}}]}
std::string trials_json(const ReportData& data);

/// The object of one trial, with "settings": what was requested, before, effective and at the end; and "account" (account.hpp), null where
/// the record has none.
std::string trial_json(const Trial& trial, const std::vector<AppliedSetting>& settings, const nlohmann::ordered_json& account = nullptr);

/// {"study", "objective", "configurations": [{"id", "origin", "values", "n", "failed", "invalid", "mean", …, "versus_baseline"}]}
std::string configurations_json(const ReportData& data);

/// {"study", "status", "verdict": null | {"kind", "statement", "effect", "blocks", …}, "configuration", "pilot", "caveats"}: the verdict
/// and what is handed over; before the verdict "configuration" is null.
std::string best_json(const ReportData& data);

}  // namespace netsettle::tuner
