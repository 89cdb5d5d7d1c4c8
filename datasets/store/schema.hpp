#pragma once
// The shape of a record: numbered SQL scripts, applied in order. `PRAGMA user_version` is the number of scripts that a file has seen,
// `PRAGMA application_id` says that it is ours. Scripts and stored enumeration values are append-only: a change is a new script.

#include <span>
#include <string_view>

#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

inline constexpr std::int64_t kApplicationId = 0x4e657453;  // "NetS"

struct Migration {
  std::string_view script;   // brings a file from this version to the next
  std::string_view reading;  // TEMP tables and views that let readers see a file of this version as if it had been brought there
};

/// Number n (from 0) is for files of version n.
std::span<const Migration> migrations();
/// The version that this program writes.
std::int64_t schema_version();

/// Applies the scripts that the file has not seen. To be called inside a write transaction; nothing is committed here.
Expected<void> migrate(const Connection& connection, std::span<const Migration> steps);

/// For a reader's connection: an older file is seen through the TEMP views of its version and stays as it is.
Expected<void> bridge_for_reading(const Connection& connection, std::span<const Migration> steps);

/// Failure: mismatch where the file is no netsettle record or has a newer schema than `known_version`.
Expected<void> check_identity(const Connection& connection, std::int64_t known_version);

/// Opens a record to read it: check_identity and bridge_for_reading with this program's migrations.
Expected<Connection> open_for_reading(const std::filesystem::path& record);

}  // namespace netsettle::datasets
