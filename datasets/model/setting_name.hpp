#pragma once
// Names of settings as the experiment file writes them ("sysctl.net.core.rmem_max"): which ones this release can change, and why not the
// others. Whether a setting exists on a machine is not known here; runners/settings asks the machine.

#include <string_view>

#include "datasets/model/error.hpp"
#include "datasets/model/experiment.hpp"

namespace netsettle {

/// True for server.*, load.* and memory.*: they act by how netsettle starts its own processes, not by a file of the machine.
bool acts_by_start(std::string_view setting);

/// Whether a study on such a rig may change the setting. Failure: unsupported for what a later release will do ("not supported yet"),
/// invalid_input for everything else; the text says what can be used instead.
Expected<void> check_setting_name(std::string_view setting, RigKind rig);

}  // namespace netsettle
