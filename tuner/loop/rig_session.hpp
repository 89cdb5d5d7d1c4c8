#pragma once
// A rig that stands, with its guard: from the lock to the machine given back.

#include <memory>

#include "runners/loads/load.hpp"
#include "runners/rigs/rig.hpp"
#include "runners/servers/server.hpp"
#include "runners/settings/guard.hpp"
#include "runners/trial/trial.hpp"
#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {

struct SessionOptions;

class RigSession {
 public:
  /// Takes the lock, starts the guard, makes the rig, resolves the settings in it. On failure everything is given back.
  static std::expected<std::unique_ptr<RigSession>, Errors> open(runners::Host& host, const Experiment& experiment, const Machine& machine,
                                                                 const SessionOptions& options);

  const ResolvedSpace& resolved() const { return resolved_; }
  const runners::TrialSetup& setup() const { return *setup_; }
  bool guard_alive() const { return guard_->guard_alive(); }
  runners::RestoreReport give_back();

 private:
  RigSession() = default;

  std::unique_ptr<runners::SettingsGuard> guard_;
  std::unique_ptr<runners::Rig> rig_;
  std::unique_ptr<runners::Server> server_;
  std::unique_ptr<runners::Load> load_;
  runners::SettingContext context_;
  ResolvedSpace resolved_;
  std::unique_ptr<runners::TrialSetup> setup_;
};

}  // namespace netsettle::tuner
