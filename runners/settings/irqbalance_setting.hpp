#pragma once
// actors.irqbalance: what a running irqbalance does about the interrupts of the server's interface, as a setting that a study tries. It is
// carried by the daemon's socket and by signals, not by a file. Private to this folder; SettingsGuard carries it out.

#include <string>

#include "datasets/model/trial.hpp"
#include "runners/settings/catalogue.hpp"
#include "runners/settings/irqbalance.hpp"

namespace netsettle::runners {

std::string_view to_text(IrqbalanceMode mode);

/// Towards these interrupts: stopped where the daemon is frozen, banned where it leaves all of them alone.
Expected<IrqbalanceMode> mode_of(const ProcessIdentity& daemon, const IrqSet& irqs, const IrqbalanceTalk& talk = talk_to_irqbalance);

/// The interrupts of the context's interface.
Expected<IrqSet> irqs_of(const SettingContext& context);

/// The setting as one study uses it.
class IrqbalanceFactor {
 public:
  explicit IrqbalanceFactor(IrqbalanceControl& control) : control_(control) {}

  /// Whether a trial has asked for anything but what was found, so that there is something to take back.
  bool is_in_force() const { return in_force_; }
  /// Whether this value leaves the interrupts to the daemon.
  static bool lets_go(const std::string& requested) { return requested == "running" || requested == "as-found"; }
  /// Brings the daemon there and looks whether it is. The row says how it went.
  AppliedSetting bring(const SettingContext& context, const std::string& requested);
  /// After a restore.
  void forget() { in_force_ = false; }

 private:
  Expected<void> bring_to(const SettingContext& context, AppliedSetting& row);

  IrqbalanceControl& control_;
  bool in_force_ = false;
};

}  // namespace netsettle::runners
