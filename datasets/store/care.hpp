#pragma once
// Care of a whole record, past the study in it. Each function opens the files by itself and leaves them closed.

#include <cstdint>
#include <filesystem>

#include "datasets/model/error.hpp"

namespace netsettle::datasets {

/// Copies a record as it is at this moment into the new file `copy`, also while another process writes it; the copy is complete or not
/// there, and durable. Returns its size in bytes. Failures: not_found, mismatch (no record), conflict where `copy` exists, disk_full.
Expected<std::int64_t> backup_record(const std::filesystem::path& record, const std::filesystem::path& copy);

}  // namespace netsettle::datasets
