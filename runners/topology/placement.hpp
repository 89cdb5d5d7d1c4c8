#pragma once
// Where the parts of a study run: server, load, interrupts, netsettle itself. Pure. What a word of the experiment file asks for and this
// machine cannot give is an error with the reason, never something else.

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "runners/topology/nic.hpp"
#include "runners/topology/topology.hpp"

namespace netsettle::runners {

/// Which CPUs server and load get, in the order in which workers take them.
struct Placement {
  std::vector<CpuId> server;  // worker i runs on server[i mod size]
  CpuSet load;
  std::vector<CpuId> rps;  // what queues.rps.count takes, in this order
};

/// The CPUs near the server's interface, for server.placement nic-node and remote-node.
struct InterfacePlace {
  CpuSet local;             // empty: not known, or all are equally near
  std::string why_unknown;  // "eth1 is a virtual device …"; "" where `local` says it
};
InterfacePlace place_of(const Nic& nic);

/// Takes CPUs for netsettle itself out of the allowed ones (rig.reserved_cpus): "auto" the last one from eight CPUs on, not one near the
/// server's interface where there are others; "none"; or a list. Failure: invalid_input for CPUs that are not allowed, and where none is
/// left.
Expected<void> reserve_cpus(Topology& topology, const std::string& reserved, const CpuSet& near_interface = {});

/// load.cpus on the load's machine. "auto": with up to three CPUs the last one; from four on whole cores from the end until they are a
/// quarter of the CPUs, beside those that a list in `server` takes where there are enough others. Failure: invalid_input with what there
/// is.
Expected<CpuSet> place_load(const Topology& topology, const LoadSection& load, const ServerSection& server);

/// server.placement: the CPUs of the workers in their order. From four CPUs on those of `load` (empty: it runs on another machine) are left
/// out. Failures: unsupported with the reason for a word that this machine cannot give; invalid_input for a list with CPUs that are not
/// allowed or that are the load's.
Expected<std::vector<CpuId>> place_server(const Topology& topology, const ServerSection& server, const CpuSet& load,
                                          const InterfacePlace& interface);

/// Both, for the experiment file as it is. `client`: the load's machine, where it is another one; load.cpus "auto" then leaves the load to
/// its scheduler.
Expected<Placement> place(const Topology& topology, const ServerSection& server, const LoadSection& load, const Topology* client = nullptr,
                          const InterfacePlace& interface = {});

}  // namespace netsettle::runners
