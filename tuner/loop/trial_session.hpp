#pragma once
// Trials without a record: one configuration measured and explained, or one load after the other.

#include <map>
#include <memory>
#include <string>

#include "strategies/validity/judge.hpp"
#include "tuner/loop/loop.hpp"
#include "tuner/loop/rig_session.hpp"

namespace netsettle::tuner {

struct ExplainedTrial {
  TrialEvidence evidence;
  strategies::Judgement judgement;
};

class TrialSession {
 public:
  /// As a study opens its rig: lock, guard, rig, settings. On failure everything is given back.
  static std::expected<std::unique_ptr<TrialSession>, Errors> open(runners::Host& host, const Experiment& experiment,
                                                                   const Machine& machine, const runners::GuardPaths& paths,
                                                                   const std::filesystem::path& guard_program);

  const ResolvedSpace& resolved() const { return rig_->resolved(); }

  /// `settings`: setting → value; those left out are as found. `block` chooses the source ports.
  ExplainedTrial run(const std::map<std::string, std::string>& settings, int block, const runners::StopFlag& stop,
                     const std::function<void(TrialState)>& on_state);

  runners::RestoreReport give_back() { return rig_->give_back(); }

 private:
  explicit TrialSession(std::unique_ptr<RigSession> rig) : rig_(std::move(rig)) {}

  std::unique_ptr<RigSession> rig_;
};

}  // namespace netsettle::tuner
