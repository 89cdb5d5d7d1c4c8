#pragma once
// Whether a machine takes the levels of server.placement, server.cores and memory.policy, and whether they differ here. What such a level
// means only the placement knows (runners/topology/placement.hpp). Reads and changes nothing.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/search_space.hpp"
#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {

struct ServerFit {
  Parameter parameter;                 // with the levels that this machine takes
  std::vector<std::string> narrowed;   // "siblings is left out: no core here has two hardware threads …"
  std::optional<std::string> dropped;  // why nothing of it is left
};

/// Levels that the machine cannot give are errors with the reason, or left out where the parameter is optional; a level that comes to the
/// same as another one is left out unless the parameter is kept. An end of a range that is an expression is moved to the number of CPUs
/// that the server has.
std::expected<ServerFit, Errors> fit_server(const Parameter& parameter, const Experiment& experiment, const Machine& machine,
                                            const Facts& facts);

}  // namespace netsettle::tuner
