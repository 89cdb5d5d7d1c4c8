#include "runners/settings/irqbalance.hpp"

#include <algorithm>
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "runners/hosts/files.hpp"
#include "runners/hosts/pidfd.hpp"
#include "runners/hosts/unix_socket.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

using Status = RestoreItem::Status;

/// The default interval is 10 s, and after a change of its list the daemon may sleep that long before it answers.
constexpr std::chrono::seconds kFirstPatience(15);

Microseconds patience_with(const IrqbalanceSetup& setup) { return std::max(kFirstPatience, setup.interval + std::chrono::seconds(5)); }

bool is_of_root(Host& host, std::int64_t pid) {
  const auto status = host.read_file(fmt::format("/proc/{}/status", pid));
  return status && status->find("\nUid:\t0\t0\t") != std::string::npos;
}

/// For people: "none", "26 28".
std::string shown(std::string_view list) { return list.empty() ? "none" : std::string(list); }

/// The lists that netsettle's own writes explain.
bool is_our_list(const JournalEntry& entry, const std::string& now) {
  return now == entry.in_force.value_or(entry.original) || (entry.in_flight && now == *entry.in_flight);
}

Error somebody_else(const JournalEntry& entry, const std::string& now) {
  return {ErrorCode::conflict, describe(entry),
          fmt::format("is '{}', netsettle wrote '{}': somebody else changed it; it was '{}'", shown(now),
                      shown(entry.in_flight.value_or(entry.in_force.value_or(entry.original))), shown(entry.original)),
          0};
}

/// Sends a signal to this very process, not to a later one of the same number.
Expected<void> signal_process(const ProcessIdentity& process, int number) {
  const Descriptor pidfd = open_pidfd(static_cast<pid_t>(process.pid));
  if (!pidfd || !is_running(process)) return fail(ErrorCode::not_found, fmt::format("process {}", process.pid), "has ended");
  if (send_signal(pidfd, number) != 0) return std::unexpected(errno_error(errno, fmt::format("process {}", process.pid), "no signal"));
  return {};
}

/// The signal works at the daemon's next step. Until then it must not be asked anything: frozen in the middle of an answer, it would end
/// with SIGPIPE when it goes on.
Expected<void> await_stop(const ProcessIdentity& daemon) {
  constexpr std::chrono::milliseconds kPause(1);
  for (int tries = 0; tries < 1000; ++tries) {
    if (is_stopped(daemon)) return {};
    std::this_thread::sleep_for(kPause);
  }
  return fail(ErrorCode::timed_out, fmt::format("irqbalance (process {})", daemon.pid), "does not stop at SIGSTOP");
}

/// Replaces the daemon's list and reads it back. refused where it is then another one.
Expected<void> replace_list(const ProcessIdentity& daemon, const IrqSet& list, Microseconds patience, const IrqbalanceTalk& talk) {
  NETSETTLE_ASSIGN(const std::string command, ban_command(list));
  NETSETTLE_TRY(talk(daemon, command, patience));
  NETSETTLE_ASSIGN(const IrqbalanceSetup now, ask_irqbalance(daemon, [&](const auto& process, std::string_view question, Microseconds) {
                     return talk(process, question, patience);
                   }));
  if (now.banned_irqs == list) return {};
  return fail(ErrorCode::refused, "irqbalance",
              fmt::format("its ban list is '{}' after writing '{}'", shown(to_list(now.banned_irqs)), shown(to_list(list))));
}

}  // namespace

// ---- finding and asking ------------------------------------------------------------------------

bool is_stopped(const ProcessIdentity& process) {
  const auto status = read_whole_file(fmt::format("/proc/{}/status", process.pid));
  return status && status->find("\nState:\tT") != std::string::npos;
}

Expected<std::optional<ProcessIdentity>> find_irqbalance(Host& host) {
  NETSETTLE_ASSIGN(const auto names, host.list_directory("/proc"));
  for (const auto& name : names) {
    const auto pid = decimal(name);
    if (!pid) continue;
    const auto program = host.read_file("/proc/" + name + "/comm");  // gone where the process has ended meanwhile
    if (!program || *program != "irqbalance\n" || !is_of_root(host, *pid)) continue;
    if (const auto process = identify(*pid); process && is_running(*process)) return process;
  }
  return std::nullopt;
}

Expected<std::string> talk_to_irqbalance(const ProcessIdentity& daemon, std::string_view command, Microseconds patience) {
  const std::string file = fmt::format("irqbalance{}.sock", daemon.pid);
  // The last: what a daemon of release 1.5 or newer binds where its folder is missing, an abstract name of nothing but NULs.
  const std::string names[] = {"/run/irqbalance/" + file, std::string(1, '\0') + file, std::string(108, '\0')};
  for (const auto& name : names) {
    auto answer = ask_unix_socket({name, daemon.pid}, command, patience);
    if (answer || (answer.error().code != ErrorCode::not_found && answer.error().code != ErrorCode::conflict)) return answer;
  }
  if (!is_running(daemon)) return fail(ErrorCode::not_found, fmt::format("irqbalance (process {})", daemon.pid), "has ended");
  return fail(ErrorCode::not_found, fmt::format("irqbalance (process {})", daemon.pid),
              fmt::format("runs, but its socket {} is not there: a daemon in a container, or one whose folder was removed; restart it, or "
                          "choose irqbalance = \"stop\"",
                          names[0]));
}

Expected<IrqbalanceSetup> ask_irqbalance(const ProcessIdentity& daemon, const IrqbalanceTalk& talk) {
  NETSETTLE_ASSIGN(const std::string answer, talk(daemon, kIrqbalanceSetup, kFirstPatience));
  // It closes the connection without a word on anybody but root, and on what it does not understand.
  if (answer.empty()) return fail(ErrorCode::permission_denied, "irqbalance", "does not answer: its socket answers root only");
  return parse_irqbalance_setup(answer);
}

// ---- a study's control -------------------------------------------------------------------------

Expected<void> IrqbalanceControl::bring(const ProcessIdentity& daemon, IrqbalanceMode mode, const IrqSet& irqs) {
  if (entry_) {
    const JournalEntry& entry = journal_.entry(*entry_);
    const bool keeps_kind = (mode == IrqbalanceMode::banned && entry.kind == EntryKind::irqbalance_bans) ||
                            (mode == IrqbalanceMode::stopped && entry.kind == EntryKind::frozen_process);
    if (!keeps_kind || ProcessIdentity{entry.pid, entry.pid_start} != daemon) NETSETTLE_TRY(release());
  }
  if (mode == IrqbalanceMode::banned) return ban(daemon, irqs);
  if (mode == IrqbalanceMode::stopped && !entry_) return freeze(daemon);
  return {};
}

Expected<void> IrqbalanceControl::check() const {
  if (!entry_) return {};
  const JournalEntry& entry = journal_.entry(*entry_);
  const ProcessIdentity daemon{entry.pid, entry.pid_start};
  if (!is_running(daemon))
    return fail(ErrorCode::conflict, describe(entry), "has ended; one that was started since knows nothing of this study");
  if (entry.kind != EntryKind::irqbalance_bans) return {};
  NETSETTLE_ASSIGN(const IrqbalanceSetup setup, ask_irqbalance(daemon, talk_));
  const std::string now = to_list(setup.banned_irqs);
  if (!is_our_list(entry, now)) return std::unexpected(somebody_else(entry, now));
  return {};
}

Expected<void> IrqbalanceControl::release() {
  const JournalEntry entry = journal_.entry(*entry_);
  const RestoreItem item = entry.kind == EntryKind::frozen_process ? continue_process(entry, {}) : restore_ban_list(entry, {}, talk_);
  if (item.status == Status::conflict) return fail(ErrorCode::conflict, item.what, item.detail);
  if (item.status == Status::failed) return fail(ErrorCode::refused, item.what, item.detail);
  NETSETTLE_TRY(journal_.set_state(entry.id, EntryState::closed));
  entry_.reset();
  return {};
}

Expected<void> IrqbalanceControl::ban(const ProcessIdentity& daemon, const IrqSet& irqs) {
  NETSETTLE_ASSIGN(const IrqbalanceSetup setup, ask_irqbalance(daemon, talk_));
  const std::string now = to_list(setup.banned_irqs);
  if (entry_ && !is_our_list(journal_.entry(*entry_), now)) return std::unexpected(somebody_else(journal_.entry(*entry_), now));
  IrqSet wanted = setup.banned_irqs;
  if (entry_) wanted = parse_list(journal_.entry(*entry_).original).value_or(IrqSet{});  // not those of the ban before this one
  wanted.insert(irqs.begin(), irqs.end());
  if (wanted == setup.banned_irqs) return {};
  NETSETTLE_TRY(ban_command(wanted));  // one that is too long must not get into the journal either
  if (!entry_) {
    JournalEntry entry;
    entry.kind = EntryKind::irqbalance_bans;
    entry.pid = daemon.pid;
    entry.pid_start = daemon.start;
    entry.original = now;
    NETSETTLE_ASSIGN(entry_, journal_.add(std::move(entry)));
  }
  NETSETTLE_TRY(journal_.write_begins(*entry_, to_list(wanted)));
  NETSETTLE_TRY(replace_list(daemon, wanted, patience_with(setup), talk_));
  return journal_.write_ended(*entry_, to_list(wanted));
}

Expected<void> IrqbalanceControl::freeze(const ProcessIdentity& daemon) {
  if (is_stopped(daemon)) return {};  // by somebody else, who will let it go on
  JournalEntry entry;
  entry.kind = EntryKind::frozen_process;
  entry.name = "irqbalance";
  entry.pid = daemon.pid;
  entry.pid_start = daemon.start;
  NETSETTLE_ASSIGN(entry_, journal_.add(std::move(entry)));
  NETSETTLE_TRY(signal_process(daemon, SIGSTOP));
  return await_stop(daemon);
}

// ---- giving back -------------------------------------------------------------------------------

RestoreItem restore_ban_list(const JournalEntry& entry, const RestoreOptions& options, const IrqbalanceTalk& talk) {
  const ProcessIdentity daemon{entry.pid, entry.pid_start};
  if (!is_running(daemon)) return {describe(entry), Status::gone, "the daemon has ended, and its list with it"};
  const auto setup = ask_irqbalance(daemon, talk);
  if (!setup) return {describe(entry), Status::failed, to_text(setup.error())};
  const std::string now = to_list(setup->banned_irqs);
  if (now == entry.original) return {describe(entry), Status::already, ""};
  if (!is_our_list(entry, now) && !options.force_conflicts) return {describe(entry), Status::conflict, somebody_else(entry, now).text};
  const std::string change = fmt::format("'{}' -> '{}'", shown(now), shown(entry.original));
  if (options.dry_run) return {describe(entry), Status::restored, change};
  const auto original = parse_list(entry.original);
  if (!original) return {describe(entry), Status::failed, to_text(original.error())};
  const auto written = replace_list(daemon, *original, patience_with(*setup), talk);
  if (!written) return {describe(entry), Status::failed, change + ": " + to_text(written.error())};
  return {describe(entry), Status::restored, change};
}

RestoreItem continue_process(const JournalEntry& entry, const RestoreOptions& options) {
  const ProcessIdentity process{entry.pid, entry.pid_start};
  if (!is_running(process)) return {describe(entry), Status::gone, "has ended"};
  if (options.dry_run) return {describe(entry), Status::restored, "would go on"};
  const auto signalled = signal_process(process, SIGCONT);
  if (!signalled) return {describe(entry), Status::failed, to_text(signalled.error())};
  return {describe(entry), Status::restored, "goes on"};
}

}  // namespace netsettle::runners
