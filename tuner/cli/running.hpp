#pragma once
// Which process writes a record now: the holder of the machine's lock, or the record's own last session.

#include "runners/settings/guard.hpp"
#include "tuner/cli/record.hpp"

namespace netsettle::tuner {

/// The process of the record's last session where that still runs: found by its number, start and boot, never by a time-out.
Expected<std::optional<runners::LockHolder>> writer_of(const Record& record);

}  // namespace netsettle::tuner
