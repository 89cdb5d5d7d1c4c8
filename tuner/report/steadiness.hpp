#pragma once
// The part of the report about spread: how steady configurations are from trial to trial, and what the machine did meanwhile. No claims.

#include <string>

#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

/// A section of Markdown about the baseline, the leader and the configuration that is handed over, by search and confirmation trials of
/// this study; with the ratio of arithmetic means in the confirmation's blocks, and the baseline's trend and steps. Empty where none was
/// measured twice.
std::string steadiness_section(const ReportData& data);

}  // namespace netsettle::tuner
