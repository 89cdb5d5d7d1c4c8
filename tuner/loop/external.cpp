#include "tuner/loop/external.hpp"

namespace netsettle::tuner {

Machine external_machine() {
  Machine machine;
  machine.workload_hash = sha256_hex("external");
  return machine;
}

std::expected<ResolvedSpace, Errors> external_space(const Experiment& experiment) {
  ResolvedSpace resolved;
  resolved.experiment = experiment;
  auto space = SearchSpace::resolve(experiment, {}, {});
  if (!space) return std::unexpected(std::move(space).error());
  resolved.space = std::move(*space);
  return resolved;
}

}  // namespace netsettle::tuner
