#pragma once
// Changing a machine and giving it back (safety.md). SettingsGuard is the only writer of settings: lock, undo journal on disk before the
// first write, read-back, restore. The program netsettle-guard restores within 2 s when netsettle dies.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/trial.hpp"
#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

/// Where lock and journal live: /run/netsettle and /var/lib/netsettle for root, XDG folders otherwise; NETSETTLE_RUN_DIR and
/// NETSETTLE_STATE_DIR override both (tests).
struct GuardPaths {
  std::filesystem::path lock_file;
  std::filesystem::path undo_directory;
  std::filesystem::path lock_info;  // who holds it, JSON
};
GuardPaths default_guard_paths();

/// Who holds the machine; shown to a second netsettle and read by `status` and `stop`.
struct LockHolder {
  std::int64_t pid = 0;
  std::int64_t pid_start = 0;
  std::string study;
  std::string database;
  std::int64_t since_us = 0;
};

/// nullopt: nobody. A holder that has died is still named while its guard is restoring.
std::optional<LockHolder> lock_holder(const GuardPaths& paths);

/// Sends the holder a signal, but only where it is still the process that took the lock. not_found otherwise.
Expected<void> signal_holder(const LockHolder& holder, int number);

struct RestoreItem {
  std::string what;  // "/proc/sys/net/core/rmem_max", "/sys/… (namespace nss-…)", "namespace nss-…", "link nsl0", "process 123"
  enum class Status { restored, already, conflict, failed, gone } status = Status::restored;
  std::string detail;  // what is there now, what it should be, why
};

struct RestoreReport {
  std::vector<RestoreItem> items;
  /// No conflict and no failure.
  bool complete() const;
};

/// {"complete": true, "items": [{"what": …, "status": "restored", "detail": …}]}
std::string to_json(const RestoreReport& report);
std::string_view to_text(RestoreItem::Status status);

/// Opens the host that writes in a network namespace ("": the one netsettle was started in). Tests hand in fakes.
using HostOpener = std::function<Expected<std::unique_ptr<Host>>(const std::string& netns)>;

struct RestoreOptions {
  bool dry_run = false;          // says what would be done: "restored" stands for "would be restored"
  bool force_conflicts = false;  // writes the original also over what somebody else wrote
  HostOpener open_host;          // empty: this machine's
};

/// Gives the machine back from the journal alone: `netsettle restore`, and every start of `netsettle run`. Idempotent. Takes the lock
/// (busy where a netsettle still runs; waits at most 10 s for a guard that is restoring).
Expected<RestoreReport> restore_from_journal(const GuardPaths& paths, const RestoreOptions& options);
/// True where a journal with something left to do exists (conflicts included, and what cannot be read; not where its folder belongs to
/// somebody else).
bool journal_is_open(const GuardPaths& paths);

struct GuardOptions {
  GuardPaths paths;
  std::string study;
  std::string database;
  std::filesystem::path guard_program;  // netsettle-guard; empty: no second process (unit tests)
  HostOpener open_host;                 // empty: this machine's
};

/// What irqbalance is to do while a study chooses the CPUs of interrupts.
enum class IrqbalanceMode {
  running,  // as it was found
  banned,   // told over its socket to leave the study's interrupts alone
  stopped,  // frozen (SIGSTOP), for releases and lists that the socket cannot take
};

class SettingsGuard {
 public:
  /// Takes the lock, starts netsettle-guard, makes the journal. The journal must have no open entries (restore_from_journal first:
  /// conflict); those that are known conflicts stay in it. Failures: busy (who, since when), io, disk_full, permission_denied. Nothing of
  /// the machine is changed.
  static Expected<std::unique_ptr<SettingsGuard>> open(const GuardOptions& options);

  /// restore(), as far as it has not been called; failures are left in the journal.
  virtual ~SettingsGuard() = default;

  /// Journals a resource before it is made, so that it is removed whatever happens. conflict where it exists already: it is somebody
  /// else's.
  virtual Expected<void> will_create_namespace(const std::string& name) = 0;
  virtual Expected<void> will_create_link(const std::string& name) = 0;
  /// A child that must not outlive the study; its pid and start time are journalled and its pidfd is held by netsettle-guard.
  virtual Expected<void> watch_child(std::int64_t pid) = 0;

  /// Brings the settings from what is in force to `wanted` (setting name → value text; everything under management that is not in
  /// `wanted` goes back to as-found), in the order of safety.md 5, each read back. One row per setting of `wanted`, errors in the rows, and
  /// a row with requested "as-found" for each other setting that did not go back. What somebody else changed since netsettle's last write
  /// is left alone: status drifted. actors.irqbalance is a setting like the others: interrupts are placed after the daemon was told to
  /// leave them alone, and given back before it may move them again; then they are its own. before, effective and at_end are texts of the
  /// value as in ResolvedSetting::as_found.
  virtual std::vector<AppliedSetting> apply(const SettingContext& context, const std::map<std::string, std::string>& wanted) = 0;
  /// Reads all rows again: fills at_end and marks `drifted` what moved.
  virtual void read_back(const SettingContext& context, std::vector<AppliedSetting>& rows) = 0;

  /// Brings a running irqbalance into a mode; where none runs, nothing is done. Call it before the interrupts' CPUs are chosen: they are
  /// given back first, then its list. `irqs`: those of the study, united with what is banned already. Failures: permission_denied,
  /// timed_out, unsupported (the list is too long for its socket), conflict (somebody else has changed the list since), not_found (no
  /// socket).
  virtual Expected<void> bring_irqbalance(Host& host, IrqbalanceMode mode, const std::set<int>& irqs) = 0;
  /// conflict where somebody else has changed its ban list or restarted it since. May wait for the daemon's interval (10 s).
  virtual Expected<void> check_irqbalance() = 0;

  /// Settings only: everything back to as-found (between sessions of a window, before a pause).
  virtual RestoreReport restore_settings() = 0;
  /// Everything: children, settings, namespaces; closes the journal, tells netsettle-guard "done". Idempotent.
  virtual RestoreReport restore() = 0;
  /// False when netsettle-guard has died: the run must restore and stop.
  virtual bool guard_alive() const = 0;
};

}  // namespace netsettle::runners
