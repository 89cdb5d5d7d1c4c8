#pragma once
// From an experiment file to what a study needs of this machine: facts, tools, settings that exist. Nothing is changed here.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/model/experiment_file.hpp"
#include "datasets/model/search_space.hpp"
#include "runners/rigs/hosts_rig.hpp"
#include "runners/settings/catalogue.hpp"
#include "runners/topology/host_facts.hpp"
#include "runners/topology/placement.hpp"
#include "runners/topology/topology.hpp"

namespace netsettle::tuner {

/// An experiment file that was read, or everything that is wrong with it.
std::expected<Experiment, std::vector<Diagnostic>> read_experiment(const std::filesystem::path& file,
                                                                   const std::vector<Override>& overrides);

/// What the machine is, before any rig is made.
struct Machine {
  runners::Topology topology;
  std::optional<runners::Topology> client_topology;  // of rig.kind = "hosts"
  runners::HostFacts facts;
  runners::Placement placement;
  runners::InterfacePlace interface;  // of the server's
  std::string workload_hash;           // SHA-256 over the query file's bytes and the load section
  std::string query_name, query_type;  // the file's first query
  std::filesystem::path echo_program;
};

/// Checks everything that can be checked without changing anything: rights, programs (with the package that has them), the query file, each
/// setting of the experiment. All problems together.
std::expected<Machine, Errors> inspect_machine(runners::Host& host, const Experiment& experiment);

/// The settings of an experiment as they are in a rig (or, for `check`, on the plain host).
struct ResolvedSpace {
  Experiment experiment;  // without dropped parameters
  SearchSpace space;
  Facts facts;
  AsFoundValues as_found;
  std::vector<std::string> managed;                           // settings that the guard manages
  std::vector<std::pair<std::string, std::string>> dropped;   // parameter, reason
  std::vector<std::pair<std::string, std::string>> narrowed;  // parameter, which end of its range and why
};
std::expected<ResolvedSpace, Errors> resolve_space(const Experiment& experiment, const Machine& machine,
                                                   const runners::SettingContext& context);

/// Settings of the experiment that belong to the whole machine while the study runs.
std::vector<std::string> host_wide_settings(const Experiment& experiment);

/// The plan of a rig of kind hosts.
runners::HostsPlan hosts_plan(const RigSection& rig);

/// Whether links may be reset, and over which addresses the user is logged in.
runners::LinkResets link_resets_of(const Experiment& experiment);

/// The context of a plain host: what `check` looks at, and the loopback rig.
runners::SettingContext plain_context(runners::Host& host, const Experiment& experiment, const Machine& machine);

/// Whether the server asks for buffers of its own: the echo server takes the kernel's default.
runners::ServerBuffers server_buffers(const Experiment& experiment);

/// Seconds that one trial takes by the experiment file.
double trial_seconds(const Experiment& experiment);

}  // namespace netsettle::tuner
