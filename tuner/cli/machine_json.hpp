#pragma once
// A machine as `netsettle doctor --json` prints it: the fields of datasets/captures/trees.

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "runners/topology/machine_view.hpp"

namespace netsettle::tuner {

/// `interface`: only this one.
nlohmann::ordered_json machine_json(const runners::MachineView& view, const std::optional<std::string>& interface = std::nullopt);

}  // namespace netsettle::tuner
