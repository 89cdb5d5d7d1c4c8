#pragma once
// Keeping a running irqbalance away from interrupts whose CPUs a study chooses, and giving it back what it had. Two ways: its ban list,
// through its socket; or the daemon frozen (SIGSTOP) and continued. Both are in the undo journal first. Called through SettingsGuard.

#include <functional>
#include <optional>

#include "runners/settings/guard.hpp"
#include "runners/settings/irqbalance_protocol.hpp"
#include "runners/settings/journal.hpp"
#include "runners/settings/process_identity.hpp"

namespace netsettle::runners {

/// The daemon that runs as root on this machine (the first one, where there are several); nullopt: none runs.
Expected<std::optional<ProcessIdentity>> find_irqbalance(Host& host);

/// Frozen (SIGSTOP), by anybody.
bool is_stopped(const ProcessIdentity& process);

/// One command over the daemon's socket: question in, answer out ("" where the command has none).
using IrqbalanceTalk = std::function<Expected<std::string>(const ProcessIdentity&, std::string_view command, Microseconds patience)>;

/// The real one: /run/irqbalance/irqbalancePID.sock, or the abstract names of releases before 1.5 and of daemons without that folder, but
/// only where that very process listens. not_found; permission_denied (only root is answered); timed_out.
Expected<std::string> talk_to_irqbalance(const ProcessIdentity& daemon, std::string_view command, Microseconds patience);

/// What it is set up to do now. refused where the answer is none of irqbalance's.
Expected<IrqbalanceSetup> ask_irqbalance(const ProcessIdentity& daemon, const IrqbalanceTalk& talk = talk_to_irqbalance);

class IrqbalanceControl {
 public:
  explicit IrqbalanceControl(Journal& journal, IrqbalanceTalk talk = talk_to_irqbalance) : journal_(journal), talk_(std::move(talk)) {}

  /// SettingsGuard::bring_irqbalance.
  Expected<void> bring(const ProcessIdentity& daemon, IrqbalanceMode mode, const IrqSet& irqs);
  /// SettingsGuard::check_irqbalance.
  Expected<void> check() const;
  /// After a restore.
  void forget() { entry_.reset(); }

 private:
  Expected<void> release();
  Expected<void> ban(const ProcessIdentity& daemon, const IrqSet& irqs);
  Expected<void> freeze(const ProcessIdentity& daemon);

  Journal& journal_;
  IrqbalanceTalk talk_;
  std::optional<int> entry_;  // the open one; at most one mode is in force
};

/// Gives the old ban list back, where the present one is ours (or options say otherwise). Does not touch the journal.
RestoreItem restore_ban_list(const JournalEntry& entry, const RestoreOptions& options, const IrqbalanceTalk& talk = talk_to_irqbalance);
/// Lets a frozen process go on.
RestoreItem continue_process(const JournalEntry& entry, const RestoreOptions& options);

}  // namespace netsettle::runners
