#pragma once
// What is said of each queue of an interface: RPS, RFS, XPS, byte queue limits, the indirection table, the CPUs of interrupts. A change of
// channels or rings takes it back, so it is in the undo journal before such a change, and is given to the card again afterwards: in a study
// and when all is given back, by whoever does that. Private to this folder.

#include <optional>
#include <string>
#include <vector>

#include "runners/settings/catalogue.hpp"
#include "runners/settings/journal.hpp"

namespace netsettle::runners {

struct QueueFile {
  SettingFile file;
  std::string text;
};
/// All that there is of the context's interface. What the card or the kernel does not have is left out; anything else that cannot be read
/// is a failure, for it would be lost.
Expected<std::vector<QueueFile>> read_queue_state(const SettingContext& context);

/// Whether the entry is of this kind, on the interface and in the namespace of `cause` (an entry of channels or of a ring). Interrupts do
/// not name their interface: those of a journal are all of the one that the study tunes.
bool is_reset_by(const JournalEntry& entry, const JournalEntry& cause);

/// The open entry of a file, where the journal has one.
std::optional<int> open_entry(const Journal& journal, const std::string& path, const std::string& netns);

}  // namespace netsettle::runners
