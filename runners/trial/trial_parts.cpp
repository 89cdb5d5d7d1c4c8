#include "runners/trial/trial_parts.hpp"

#include "runners/servers/server_memory.hpp"

namespace netsettle::runners {
namespace {

Expected<CpuSet> cpus_of_load(const TrialSetup& setup, const LoadSection& load) {
  const bool is_elsewhere = setup.client_topology != nullptr;
  if (is_elsewhere && load.cpus == "auto") return CpuSet();
  return place_load(is_elsewhere ? *setup.client_topology : setup.topology, load, setup.experiment.server);
}

}  // namespace

Expected<TrialParts> parts_of(const TrialSetup& setup, const TrialRequest& request) {
  TrialParts parts;
  NETSETTLE_ASSIGN(parts.server, with_settings(setup.experiment.server, request.settings));
  NETSETTLE_ASSIGN(parts.load, with_settings(setup.experiment.load, request.settings));
  NETSETTLE_ASSIGN(parts.load_cpus, cpus_of_load(setup, parts.load));
  const CpuSet beside = setup.client_topology == nullptr ? parts.load_cpus : CpuSet();
  NETSETTLE_ASSIGN(parts.server_cpus, place_server(setup.topology, parts.server, beside, setup.interface));
  NETSETTLE_ASSIGN(parts.used_cpus, usable_cpus(parts.server.cores, parts.server_cpus));
  if (request.settings.contains(kMemoryPolicy) || parts.server.memory != ServerSection().memory) {
    NETSETTLE_ASSIGN(parts.memory, memory_policy(setup.topology, parts.server.memory, parts.used_cpus));
  }
  return parts;
}

}  // namespace netsettle::runners
