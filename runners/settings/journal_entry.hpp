#pragma once
// What the undo journal says about one thing that must be given back, and its text: JSON lines that are only ever appended. Reading them
// again replays them to the present state. Pure; the file is journal.hpp's affair.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"
#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

enum class EntryKind { file, network_namespace, link, process, irqbalance_bans, frozen_process };
enum class EntryState {
  open,
  conflict,  // somebody else changed it: left alone, kept for `restore --force-conflicts`
  closed,
};

struct JournalEntry {
  int id = 0;
  EntryKind kind = EntryKind::file;
  EntryState state = EntryState::open;
  std::string boot;  // boot id of the kernel it belongs to

  // kind file
  std::string setting;  // "sysctl.net.core.rmem_max"
  std::string path;
  std::string netns;
  std::optional<std::uint64_t> netns_inode;  // tells a namespace from a later one of the same name
  Comparator comparator = Comparator::exact;
  std::string original;                  // its bytes before the first write
  std::optional<std::string> in_force;   // what the last finished write left there
  std::optional<std::string> in_flight;  // what a write that was begun may have left there
  bool resetting = false;                // a change of channels or rings has begun that takes it back: whatever is there came from that

  // kinds network_namespace, link and frozen_process; of an interrupt's file the device it belongs to
  std::string name;

  // kind irqbalance_bans: original, in_force and in_flight are lists of interrupts ("26 28")

  // kinds process, irqbalance_bans and frozen_process
  std::int64_t pid = 0;
  std::int64_t pid_start = 0;
};

/// "sysctl.net.core.rmem_max", "namespace nss-1", "link nss0", "process 123"; a file of several is named with its path.
std::string describe(const JournalEntry& entry);

// Lines, each with its newline. Bytes of files are kept exactly (each byte one code point).
std::string entry_line(const JournalEntry& entry);            // with its whole state
std::string write_begun_line(int id, std::string_view text);  // before the write
std::string write_ended_line(int id, std::string_view in_force);
std::string reset_begun_line(int id);    // before a write elsewhere that takes this value back
std::string write_refused_line(int id);  // the write failed and changed nothing
std::string state_line(int id, EntryState state);

struct Replay {
  std::vector<JournalEntry> entries;  // closed ones included, in the order of the journal
  std::vector<int> unreadable_lines;  // 1-based; something was there that cannot be understood
  std::size_t sound_bytes = 0;        // without a torn last line (a write that a crash cut off)
};
Replay replay(std::string_view text);

}  // namespace netsettle::runners
