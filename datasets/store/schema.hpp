#pragma once
// The shape of a record: numbered SQL scripts, applied in order. `PRAGMA user_version` is the number of scripts that a file has seen,
// `PRAGMA application_id` says that it is ours. Scripts and stored enumeration values are append-only: a change is a new script.

#include <span>
#include <string_view>

#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

inline constexpr std::int64_t kApplicationId = 0x4e657453;  // "NetS"

/// Script n brings a file from version n to version n + 1.
std::span<const std::string_view> migrations();

/// Applies the scripts that the file has not seen. To be called inside a write transaction; nothing is committed here.
Expected<void> migrate(const Connection& connection, std::span<const std::string_view> scripts);

/// Failure: mismatch where the file is no netsettle record, has a newer schema than `known_version`, or is older and is opened for reading
/// (only a writer may bring it up to date).
Expected<void> check_identity(const Connection& connection, Access access, std::int64_t known_version);

}  // namespace netsettle::datasets
