#pragma once
// The undo journal on disk: undo_directory/journal. What must be given back is in it, durably, before it is changed. One writer (the holder
// of the lock, or netsettle-guard after it); read again from the path by whoever gives back.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runners/hosts/descriptor.hpp"
#include "runners/settings/journal_entry.hpp"

namespace netsettle::runners {

class Journal {
 public:
  /// Opens the journal, or makes it, and reserves space: on a disk that is full it fails (disk_full) before anything of the machine
  /// is changed, and giving back never needs a new block. A torn last line is cut off.
  static Expected<Journal> open(const std::filesystem::path& undo_directory);

  /// What an existing journal says; an empty replay where there is none. Changes nothing.
  static Expected<Replay> read(const std::filesystem::path& undo_directory);

  Journal(Journal&&) = default;
  Journal& operator=(Journal&&) = default;

  const std::vector<JournalEntry>& entries() const { return entries_; }
  const JournalEntry& entry(int id) const;
  const std::vector<int>& unreadable_lines() const { return unreadable_lines_; }
  /// Neither closed nor in conflict.
  bool has_open_entries() const;

  /// Gives the entry its id and this boot, and makes it durable (fsync) before it returns.
  Expected<int> add(JournalEntry entry);
  /// Several of them with one fsync; their ids in the same order.
  Expected<std::vector<int>> add_all(std::vector<JournalEntry> entries);
  // The state of a write. Not fsynced: a crash of netsettle does not lose what was written, and a crash of the machine undoes the setting.
  Expected<void> write_begins(int id, std::string_view text);
  Expected<void> write_ended(int id, std::string_view in_force);
  Expected<void> write_refused(int id);
  /// Before a write elsewhere that takes the entry's value back; write_ended says what it left.
  Expected<void> reset_begins(int id);
  Expected<void> set_state(int id, EntryState state);

  /// Removes the journal where nothing is left in it (open, in conflict or unreadable), else rewrites it with what is left.
  Expected<void> finish();

 private:
  Journal(std::filesystem::path directory, Descriptor file, Replay replayed);
  Expected<void> append(std::string_view line);
  Expected<void> rewrite();
  JournalEntry& at(int id);

  std::filesystem::path directory_;
  Descriptor file_;
  std::vector<JournalEntry> entries_;
  std::vector<int> unreadable_lines_;
  std::size_t size_ = 0;
  int next_id_ = 1;
};

/// /proc/sys/kernel/random/boot_id without the newline.
Expected<std::string> this_boot();

}  // namespace netsettle::runners
