#pragma once
// CPUs and nodes of a machine, and where the parts of a study are placed.

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/experiment.hpp"
#include "datasets/model/search_space.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

struct Topology {
  CpuSet online;
  CpuSet allowed;      // online ∩ affinity of netsettle − isolated
  int cores = 0;       // physical cores among the allowed (hwloc)
  int packages = 0;
  std::map<int, CpuSet> nodes;   // NUMA node → CPUs
  std::int64_t ram_bytes = 0;
};

/// From /sys and hwloc. Failure: io where /sys/devices/system/cpu/online cannot be read.
Expected<Topology> read_topology(Host& host);

/// cpus node_cpus cores nodes ram; queues of `interface` where it has any.
Facts facts_of(const Topology& topology, Host& server, const std::string& interface);

/// Which CPUs server and load get, in the order in which workers take them.
struct Placement {
  std::vector<CpuId> server;   // worker i runs on server[i mod size]
  CpuSet load;
  std::vector<CpuId> rps;      // what queues.rps.count takes, in this order
};

/// load.cpus "auto": the last CPU where there are two or three, the last quarter from four; the server then avoids them from four CPUs on.
/// Failures: invalid_input for a list with CPUs that are not allowed.
Expected<Placement> place(const Topology& topology, const ServerSection& server, const LoadSection& load);

}  // namespace netsettle::runners
