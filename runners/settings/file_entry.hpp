#pragma once
// Writing one file of a setting and taking it back: the journal before the write, the read-back after it, and the rule that what somebody
// else wrote is left alone.

#include <optional>
#include <string>

#include "datasets/model/trial.hpp"
#include "runners/settings/guard.hpp"
#include "runners/settings/journal.hpp"

namespace netsettle::runners {

/// True where the present text can be explained by netsettle's own writes: the one in force, or one that a crash cut off.
bool is_ours(const JournalEntry& entry, std::string_view present);

/// The device that an interrupt of /proc/irq/N belongs to ("eth0-TxRx-3"); empty for other files, and where it is not told or shared.
std::string handler_of(Host& host, std::string_view path);

/// Puts the original back, where the present value is ours (or options say otherwise). Does not touch the journal.
RestoreItem restore_file_entry(Host& host, const JournalEntry& entry, const RestoreOptions& options);

/// What a write led to.
struct WriteOutcome {
  SettingStatus status = SettingStatus::ok;
  std::string effective;  // read back, canonical; empty where it cannot be read
  int errno_value = 0;
};

/// Writes and reads back, each step in the journal. `present`: what is there now. Statuses: ok, clamped, or how it was refused.
WriteOutcome write_journalled(Host& host, Journal& journal, int entry_id, const std::string& present, const std::string& text);

/// eperm, eacces, absent, einval, eio, enospc, eoverflow; refused for all others.
SettingStatus status_of(const Error& error);

}  // namespace netsettle::runners
