#include "runners/settings/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runners/hosts/files.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr off_t kReserve = 1 << 20;
/// Above this the journal is rewritten with its present state alone, so that a long study stays within the reserve.
constexpr std::size_t kRewriteAbove = 256u << 10;

std::string journal_path(const std::filesystem::path& directory) { return (directory / "journal").string(); }

Expected<void> make_folder(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return std::unexpected(
        errno_error(error.value(), directory.string(),
                    "the folder of the undo journal cannot be made: HOME or XDG_STATE_HOME must name a folder that is yours"));
  return {};
}

/// Space that appends will use without asking the disk again. A file system that cannot reserve (EOPNOTSUPP) is accepted: the first append
/// then finds out, still before anything of the machine is changed.
Expected<void> reserve(const Descriptor& file, const std::string& path) {
  if (::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, kReserve) == 0 || errno == EOPNOTSUPP) return {};
  return std::unexpected(errno_error(errno, path, "no space can be reserved for the undo journal"));
}

Expected<Descriptor> open_file(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file) return std::unexpected(errno_error(errno, path, "the undo journal cannot be opened"));
  return file;
}

Expected<void> make_durable(const Descriptor& file, const std::string& path) {
  if (::fdatasync(file.get()) != 0) return std::unexpected(errno_error(errno, path, "the undo journal cannot be made durable"));
  return {};
}

bool is_left(const JournalEntry& entry) { return entry.state != EntryState::closed; }

}  // namespace

Expected<std::string> this_boot() {
  NETSETTLE_ASSIGN(const std::string text, read_whole_file("/proc/sys/kernel/random/boot_id"));
  return std::string(trimmed(text));
}

Journal::Journal(std::filesystem::path directory, Descriptor file, Replay replayed)
    : directory_(std::move(directory)),
      file_(std::move(file)),
      entries_(std::move(replayed.entries)),
      unreadable_lines_(std::move(replayed.unreadable_lines)),
      size_(replayed.sound_bytes) {
  for (const auto& entry : entries_) next_id_ = std::max(next_id_, entry.id + 1);
}

Expected<Replay> Journal::read(const std::filesystem::path& undo_directory) {
  const auto text = read_whole_file(journal_path(undo_directory));
  if (text) return replay(*text);
  if (text.error().code == ErrorCode::not_found) return Replay{};
  return std::unexpected(text.error());
}

Expected<Journal> Journal::open(const std::filesystem::path& undo_directory) {
  const std::string path = journal_path(undo_directory);
  NETSETTLE_TRY(make_folder(undo_directory));
  NETSETTLE_ASSIGN(Replay replayed, read(undo_directory));
  NETSETTLE_ASSIGN(Descriptor file, open_file(path, O_CREAT));
  if (::ftruncate(file.get(), static_cast<off_t>(replayed.sound_bytes)) != 0)
    return std::unexpected(errno_error(errno, path, "the undo journal cannot be repaired"));
  NETSETTLE_TRY(reserve(file, path));
  if (::fsync(file.get()) != 0) return std::unexpected(errno_error(errno, path, "the undo journal cannot be made durable"));
  NETSETTLE_TRY(sync_folder(undo_directory.string()));
  return Journal(undo_directory, std::move(file), std::move(replayed));
}

JournalEntry& Journal::at(int id) { return *std::ranges::find(entries_, id, &JournalEntry::id); }

const JournalEntry& Journal::entry(int id) const { return *std::ranges::find(entries_, id, &JournalEntry::id); }

bool Journal::has_open_entries() const {
  return std::ranges::any_of(entries_, [](const JournalEntry& entry) { return entry.state == EntryState::open; });
}

Expected<int> Journal::add(JournalEntry entry) {
  NETSETTLE_ASSIGN(const auto ids, add_all({std::move(entry)}));
  return ids.front();
}

Expected<std::vector<int>> Journal::add_all(std::vector<JournalEntry> entries) {
  NETSETTLE_ASSIGN(const std::string boot, this_boot());
  std::string lines;
  std::vector<int> ids;
  for (auto& entry : entries) {
    entry.boot = boot;
    entry.id = next_id_ + static_cast<int>(ids.size());
    ids.push_back(entry.id);
    lines += entry_line(entry);
  }
  NETSETTLE_TRY(append(lines));
  next_id_ += static_cast<int>(ids.size());  // in the file from now on, durable or not
  NETSETTLE_TRY(make_durable(file_, journal_path(directory_)));
  std::ranges::move(entries, std::back_inserter(entries_));
  return ids;
}

Expected<void> Journal::write_begins(int id, std::string_view text) {
  NETSETTLE_TRY(append(write_begun_line(id, text)));
  at(id).in_flight = std::string(text);
  return {};
}

Expected<void> Journal::write_ended(int id, std::string_view in_force) {
  NETSETTLE_TRY(append(write_ended_line(id, in_force)));
  at(id).in_force = std::string(in_force);
  at(id).in_flight.reset();
  at(id).resetting = false;
  return {};
}

Expected<void> Journal::reset_begins(int id) {
  NETSETTLE_TRY(append(reset_begun_line(id)));
  at(id).resetting = true;
  return {};
}

Expected<void> Journal::write_refused(int id) {
  NETSETTLE_TRY(append(write_refused_line(id)));
  at(id).in_flight.reset();
  return {};
}

Expected<void> Journal::set_state(int id, EntryState state) {
  at(id).state =
      state;  // in memory also where the disk refuses: the present run knows better than the file, which a later restore checks again
  return append(state_line(id, state));
}

Expected<void> Journal::append(std::string_view line) {
  // On a full disk there may be no room for a second file; the reserve of the first one still has some.
  if (size_ > kRewriteAbove && unreadable_lines_.empty())
    if (auto rewritten = rewrite(); !rewritten && rewritten.error().code != ErrorCode::disk_full) return rewritten;
  const std::string path = journal_path(directory_);
  const auto written = write_all(file_, line, path);
  if (written) {
    size_ += line.size();
    return {};
  }
  // Half a line must not stay: the next one would be glued to it.
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
    return std::unexpected(errno_error(errno, path, "half a line cannot be taken back"));
  return written;
}

Expected<void> Journal::rewrite() {
  std::string text;
  for (const auto& entry : entries_)
    if (is_left(entry)) text += entry_line(entry);
  const std::string path = journal_path(directory_), fresh = path + ".new";
  NETSETTLE_ASSIGN(Descriptor file, open_file(fresh, O_CREAT | O_TRUNC));
  NETSETTLE_TRY(reserve(file, fresh));
  NETSETTLE_TRY(write_all(file, text, fresh));
  NETSETTLE_TRY(make_durable(file, fresh));
  if (::rename(fresh.c_str(), path.c_str()) != 0) return std::unexpected(errno_error(errno, path, "the undo journal cannot be rewritten"));
  file_ = std::move(file);
  size_ = text.size();
  std::erase_if(entries_, [](const JournalEntry& entry) { return !is_left(entry); });
  return sync_folder(directory_.string());
}

Expected<void> Journal::finish() {
  if (!unreadable_lines_.empty()) return {};
  if (std::ranges::any_of(entries_, is_left)) return rewrite();
  const std::string path = journal_path(directory_);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return std::unexpected(errno_error(errno, path, "the undo journal cannot be removed"));
  return sync_folder(directory_.string());
}

}  // namespace netsettle::runners
