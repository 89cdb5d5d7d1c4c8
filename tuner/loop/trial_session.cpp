#include "tuner/loop/trial_session.hpp"

#include "tuner/loop/trial_runner.hpp"

namespace netsettle::tuner {

std::expected<std::unique_ptr<TrialSession>, Errors> TrialSession::open(runners::Host& host, const Experiment& experiment,
                                                                        const Machine& machine, const runners::GuardPaths& paths,
                                                                        const std::filesystem::path& guard_program) {
  auto rig = RigSession::open(host, experiment, machine, {.database = "none", .guard_paths = paths, .guard_program = guard_program});
  if (!rig) return std::unexpected(std::move(rig).error());
  return std::unique_ptr<TrialSession>(new TrialSession(std::move(*rig)));
}

ExplainedTrial TrialSession::run(const std::map<std::string, std::string>& settings, int block, const runners::StopFlag& stop,
                                 const std::function<void(TrialState)>& on_state) {
  const Experiment& experiment = rig_->resolved().experiment;
  ExplainedTrial trial;
  trial.evidence = runners::run_trial(rig_->setup(), {settings, first_source_port(experiment, block)}, stop, on_state);
  trial.judgement = strategies::judge(experiment, trial.evidence);
  return trial;
}

}  // namespace netsettle::tuner
