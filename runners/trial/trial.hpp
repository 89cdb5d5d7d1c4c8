#pragma once
// One trial from the first write to its evidence (trial.md): settings → server, ready by a real query → settle → counters → load for
// its whole life → counters → server's own counts → settings read again. It decides nothing: strategies/validity judges the evidence.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"
#include "runners/loads/load.hpp"
#include "runners/rigs/rig.hpp"
#include "runners/servers/server.hpp"
#include "runners/settings/guard.hpp"
#include "runners/topology/placement.hpp"
#include "runners/topology/topology.hpp"

namespace netsettle::runners {

/// What stays the same for all trials of a session. Everything is borrowed and must outlive the calls.
struct TrialSetup {
  const Experiment& experiment;
  Host& host;  // the initial namespace: host-wide settings and counters
  Rig& rig;
  SettingsGuard& guard;
  const SettingContext& context;
  const std::vector<std::string>& managed;  // names of all settings that the study may change, server.* and load.* excluded
  const Topology& topology;
  const Server& server;
  const Load& load;
  std::string echo_program;
  std::string query_name, query_type;         // for readiness and preflight
  std::string load_version;                   // of the load's program, as it says it; empty: unknown
  const Topology* client_topology = nullptr;  // where the load runs on another machine
  InterfacePlace interface = {};              // of the server's, for server.placement
};

struct TrialRequest {
  std::map<std::string, std::string> settings;  // setting → value; as-found ones are left out
  std::optional<int> first_source_port;
};

/// Runs one trial. Never fails as a call: what went wrong is in the evidence. `on_state` is told applying, warmup, measuring. When `stop`
/// is set, load and server are ended at once and the failure is `interrupted`.
TrialEvidence run_trial(const TrialSetup& setup, const TrialRequest& request, const StopFlag& stop,
                        const std::function<void(TrialState)>& on_state);

/// Seconds that a trial takes beside its warm-up, window and settle time, as a first guess.
inline constexpr double kTrialOverheadSeconds = 1.0;
/// The series' interval, and how many of them the load runs on behind the window (dnsperf does not print the last one).
inline constexpr double kSeriesInterval = 0.2;
inline constexpr int kMarginIntervals = 2;

}  // namespace netsettle::runners
