#pragma once
// Real trials in real namespaces (or on loopback), with a server that can be told to fail and a moment in which the world can interfere.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runners/hosts/local_host.hpp"
#include "runners/trial/trial.hpp"
#include "strategies/validity/judge.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tests {

struct TrialOutcome {
  TrialEvidence evidence;
  strategies::Judgement judgement;
  bool has(std::string_view code) const;
  /// The sentence of a reason; empty where it was not given.
  std::string detail(std::string_view code) const;
  /// Queries at a place of the ledger; 0 where it is not there.
  std::int64_t lost_at(std::string_view place) const;
  /// For INFO: verdict, reasons, measurements.
  std::string text() const;
};

class TrialLab {
 public:
  explicit TrialLab(RigKind kind = RigKind::namespaces);
  ~TrialLab();

  Experiment experiment;  // to be changed before run()
  std::map<std::string, std::string> settings;
  std::vector<std::string> managed;
  std::vector<std::string> faults;            // arguments of the faulty server; empty: netsettle-echo
  std::function<void()> while_measuring;      // called once when the window begins
  runners::Host* trial_host = nullptr;        // absent: the local host
  std::unique_ptr<runners::Load> other_load;  // absent: the experiment's
  runners::StopFlag stop = 0;

  TrialOutcome run();
  runners::Rig& rig() { return *rig_; }
  runners::Host& host() { return *host_; }
  /// Runs a program on one side of the rig; its failure fails the test.
  void must_run(runners::Host& side, const std::vector<std::string>& argv);

 private:
  TemporaryFolder folder_;
  std::unique_ptr<runners::Host> host_ = runners::make_local_host();
  std::unique_ptr<runners::SettingsGuard> guard_;
  std::unique_ptr<runners::Rig> rig_;
  runners::Topology topology_;
};

}  // namespace netsettle::tests
