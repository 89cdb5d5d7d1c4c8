#include "runners/settings/restore.hpp"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/carrier.hpp"
#include "runners/settings/file_entry.hpp"
#include "runners/settings/irqbalance.hpp"
#include "runners/settings/queue_state.hpp"

namespace netsettle::runners {
namespace {

using Status = RestoreItem::Status;

constexpr std::chrono::milliseconds kPatienceWithChildren(1000);
constexpr std::chrono::seconds kPatienceWithPrograms(10);

bool exists_in(Host& host, const std::string& folder, const std::string& name) {
  const auto names = host.list_directory(folder);
  return names && std::ranges::find(*names, name) != names->end();
}

class Restorer {
 public:
  Restorer(Journal& journal, const RestorePlan& plan)
      : journal_(journal), plan_(plan), open_host_(plan.options.open_host ? plan.options.open_host : open_real_host) {}

  RestoreReport run() {
    const auto boot = this_boot();
    boot_ = boot ? *boot : "";
    if (plan_.scope == RestoreScope::everything) {
      for (const int line : journal_.unreadable_lines())
        report_.items.push_back(
            {fmt::format("line {} of the journal", line), Status::failed, "cannot be read: it stays there, look at it by hand"});
      restore_kind(EntryKind::process);
    }
    restore_kind(EntryKind::file);
    // After the interrupts' CPUs: what irqbalance may touch again it moves, and that would look like somebody else's change.
    restore_kind(EntryKind::irqbalance_bans);
    restore_kind(EntryKind::frozen_process);
    if (plan_.scope == RestoreScope::everything) {
      restore_kind(EntryKind::link);
      restore_kind(EntryKind::network_namespace);
    }
    return std::move(report_);
  }

 private:
  void restore_kind(EntryKind kind) {
    std::vector<JournalEntry> entries;
    for (const auto& entry : journal_.entries())
      if (entry.kind == kind && entry.state != EntryState::closed) entries.push_back(entry);
    std::ranges::reverse(entries);
    std::ranges::stable_sort(entries, {}, reset_rank);
    for (const auto& known : entries) {
      const JournalEntry entry = journal_.entry(known.id);  // a copy as it is now: earlier ones may have taken its value back
      if (resets_queues(entry.path)) prepare_reset(entry);
      RestoreItem item = restore(entry);
      if (item.status == Status::gone) keep_what_may_come_back(entry, item);
      const bool stays = item.status == Status::failed || item.status == Status::conflict || plan_.options.dry_run;
      if (resets_queues(entry.path) && stays) unsettled_.emplace_back(entry, item.status);
      settle(entry, std::move(item));
    }
  }

  /// Channels, then rings, then what they take back and everything else.
  static int reset_rank(const JournalEntry& entry) { return !resets_queues(entry.path) ? 2 : is_channels(entry.path) ? 0 : 1; }

  /// What the write of this entry takes back is netsettle's doing from now on, as far as it is netsettle's now.
  void prepare_reset(const JournalEntry& cause) {
    if (plan_.options.dry_run || !is_of_now(cause)) return;
    const std::vector<JournalEntry> entries = journal_.entries();
    for (const auto& entry : entries) {
      if (entry.state == EntryState::closed || !is_reset_by(entry, cause)) continue;
      const auto host = host_of(entry.netns);
      const auto present = host ? read_carrier(**host, entry.path) : Expected<std::string>(std::unexpected(host.error()));
      // A queue that is not there now may be there again in a moment. Where the note fails, the value is at worst taken for somebody
      // else's.
      if (!present || is_ours(entry, *present)) static_cast<void>(journal_.reset_begins(entry.id));
    }
  }

  /// A file that is missing while its queue is: not the end of it.
  void keep_what_may_come_back(const JournalEntry& entry, RestoreItem& item) const {
    for (const auto& [cause, status] : unsettled_) {
      if (status == Status::already || !is_of_now(entry) || !is_reset_by(entry, cause)) continue;
      item.status = status;
      item.detail = fmt::format("its queue is missing as long as this is not given back: {}", describe(cause));
      if (plan_.options.dry_run && status == Status::restored) item.detail = fmt::format("comes back with {}", describe(cause));
    }
  }

  bool is_of_now(const JournalEntry& entry) const { return boot_.empty() || entry.boot == boot_; }

  RestoreItem restore(const JournalEntry& entry) {
    if (!is_of_now(entry)) return {describe(entry), Status::gone, "a reboot undid it"};
    switch (entry.kind) {
      case EntryKind::file:
        return restore_file(entry);
      case EntryKind::process:
        return restore_process(entry);
      case EntryKind::link:
        return remove(entry, "/sys/class/net", {"ip", "link", "del", entry.name});
      case EntryKind::network_namespace:
        return remove(entry, "/run/netns", {"ip", "netns", "del", entry.name});
      case EntryKind::irqbalance_bans:
        return restore_ban_list(entry, plan_.options);
      case EntryKind::frozen_process:
        return continue_process(entry, plan_.options);
    }
    return {describe(entry), Status::failed, "unknown kind"};
  }

  /// Notes the outcome in the journal and in the report. A journal that cannot be written does not undo a restore: the entry is then found
  /// to be back already next time.
  void settle(const JournalEntry& entry, RestoreItem item) {
    if (!plan_.options.dry_run) {
      const bool is_done = item.status == Status::restored || item.status == Status::already || item.status == Status::gone;
      EntryState state = is_done ? EntryState::closed : item.status == Status::conflict ? EntryState::conflict : EntryState::open;
      if (const auto cause = unsettled_cause(entry); cause && is_done) {
        // It will be taken back once more, when channels or rings are given back at last.
        state = *cause == Status::conflict ? EntryState::conflict : EntryState::open;
        static_cast<void>(journal_.write_ended(entry.id, entry.original));
      }
      if (state != entry.state)
        if (const auto noted = journal_.set_state(entry.id, state); !noted && !is_done) item.detail += "; " + to_text(noted.error());
    }
    report_.items.push_back(std::move(item));
  }

  /// What has become of the channels or rings that take the entry's value back, where they are not given back.
  std::optional<Status> unsettled_cause(const JournalEntry& entry) const {
    for (const auto& [cause, status] : unsettled_)
      if (is_of_now(entry) && is_reset_by(entry, cause)) return status;
    return std::nullopt;
  }

  RestoreItem restore_file(const JournalEntry& entry) {
    const auto host = host_of(entry.netns);
    const auto inode = namespace_inode(entry.netns);
    if (entry.netns_inode && inode && *inode != *entry.netns_inode) {
      if (!entry.netns.empty())
        return {describe(entry), Status::gone, "its network namespace has been replaced by another one of that name"};
      return {describe(entry), Status::failed, "belongs to another network namespace: restore where the study was started"};
    }
    if (!host && host.error().code == ErrorCode::not_found)
      return {describe(entry), Status::gone, "its network namespace does not exist any more"};
    if (!host) return {describe(entry), Status::failed, to_text(host.error())};
    return restore_file_entry(**host, entry, plan_.options);
  }

  RestoreItem restore_process(const JournalEntry& entry) {
    const ProcessIdentity process{entry.pid, entry.pid_start};
    const bool runs = is_running(process);
    if (plan_.options.dry_run) return {describe(entry), runs ? Status::restored : Status::gone, runs ? "would be ended" : "has ended"};
    if (!end_processes({&process, 1}, kPatienceWithChildren, plan_.leaderless))
      return {describe(entry), Status::failed, "does not end after SIGKILL"};
    return {describe(entry), runs ? Status::restored : Status::gone, "has ended"};
  }

  RestoreItem remove(const JournalEntry& entry, const std::string& folder, const std::vector<std::string>& command) {
    const auto host = host_of("");
    if (!host) return {describe(entry), Status::failed, to_text(host.error())};
    if (!exists_in(**host, folder, entry.name)) return {describe(entry), Status::gone, "does not exist any more"};
    if (plan_.options.dry_run) return {describe(entry), Status::restored, "would be removed"};
    const auto removed = run_checked(**host, command, kPatienceWithPrograms);
    if (!removed) return {describe(entry), Status::failed, to_text(removed.error())};
    if (exists_in(**host, folder, entry.name)) return {describe(entry), Status::failed, "is still there"};
    return {describe(entry), Status::restored, "removed"};
  }

  /// One host for each namespace, for the time of the restore.
  Expected<Host*> host_of(const std::string& netns) {
    if (const auto known = hosts_.find(netns); known != hosts_.end()) return known->second.get();
    NETSETTLE_ASSIGN(auto host, open_host_(netns));
    return hosts_.emplace(netns, std::move(host)).first->second.get();
  }

  Journal& journal_;
  const RestorePlan& plan_;
  HostOpener open_host_;
  std::string boot_;
  std::map<std::string, std::unique_ptr<Host>> hosts_;
  std::vector<std::pair<JournalEntry, Status>> unsettled_;  // channels and rings that are not given back, and why
  RestoreReport report_;
};

}  // namespace

RestoreReport restore_entries(Journal& journal, const RestorePlan& plan) { return Restorer(journal, plan).run(); }

Expected<std::unique_ptr<Host>> open_real_host(const std::string& netns) {
  if (netns.empty()) return make_local_host();
  return make_namespace_host(netns);
}

std::optional<std::uint64_t> namespace_inode(const std::string& netns) {
  struct stat status{};
  const std::string path = netns.empty() ? "/proc/thread-self/ns/net" : "/run/netns/" + netns;
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_ino;
}

}  // namespace netsettle::runners
