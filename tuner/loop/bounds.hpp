#pragma once
// Whether a machine takes the levels of a parameter, before anything is touched. Reads only.

#include <string>
#include <vector>

#include "datasets/model/search_space.hpp"
#include "runners/settings/catalogue.hpp"

namespace netsettle::tuner {

struct Fit {
  Parameter parameter;                // with the ranges that this machine takes
  std::vector<std::string> narrowed;  // "the range ends at 4: interrupts.count takes at most 4 here (4 queues of eth0 with interrupts, …)"
};

/// Holds levels, special values and ranges against each setting. An end of a range that is a number, and a level, must be possible: else
/// invalid_input with the setting as subject. An end that is an expression over facts is moved to the bound; companions (`with`) are not
/// known beforehand.
std::expected<Fit, Errors> fit_to_machine(const Parameter& parameter, const std::vector<runners::ResolvedSetting>& settings,
                                          const Facts& facts, const runners::SettingContext& context);

}  // namespace netsettle::tuner
