#pragma once
// Values, trials, settings and decisions as JSON: the same keys in every document. What is absent is null.

#include <vector>

#include <nlohmann/json.hpp>

#include "datasets/model/study_view.hpp"

namespace netsettle::tuner {

nlohmann::ordered_json value_json(const Value& value);

/// {parameter: value}; as found is the text "as-found".
nlohmann::ordered_json values_json(const Configuration& configuration);

nlohmann::ordered_json trial_object(const Trial& trial);

/// What was requested, before, effective and at the end, and the files that carry each setting.
nlohmann::ordered_json settings_json(const std::vector<AppliedSetting>& settings);

/// "inputs" is what the decision was computed from.
nlohmann::ordered_json decision_object(const Decision& decision);

}  // namespace netsettle::tuner
