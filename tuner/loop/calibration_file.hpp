#pragma once
// What `calibrate` found, written down beside the record, and read by the studies with the same workload on the same machine.

#include <filesystem>
#include <optional>
#include <string>

#include "strategies/validity/calibration.hpp"
#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {

std::string_view to_text(strategies::LoadFit fit);

/// ./NAME.netsettle.calibration.json
std::filesystem::path default_calibration_file(const std::string& study);

/// The calibration as JSON, with the workload and the machine it belongs to.
std::string calibration_json(const strategies::Calibration& calibration, const Machine& machine, std::int64_t now_us);

/// Replaces the file. io, with what the system says.
Expected<void> write_calibration(const std::filesystem::path& file, const std::string& json);

/// Puts the facts "calibration" (its sentence) and "calibration_fit" into the machine's, where the file is of this workload and machine.
void note_calibration(const std::filesystem::path& file, Machine& machine);

}  // namespace netsettle::tuner
