#pragma once
// CPUs and nodes of a machine, and where the parts of a study are placed. Read from files through Host, so that captured trees work;
// hwloc adds what only the live machine tells.

#include <map>
#include <optional>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/experiment.hpp"
#include "datasets/model/search_space.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

struct Topology {
  CpuSet online;
  CpuSet allowed;            // online ∩ cpuset of the control group ∩ affinity of netsettle − isolated
  std::optional<int> cores;  // physical cores among the allowed
  std::optional<int> packages;
  std::map<int, CpuSet> nodes;  // NUMA node → CPUs; empty where the kernel has no NUMA
  std::int64_t ram_bytes = 0;
};

/// From /sys/devices/system, /proc/self/status and /proc/meminfo. Failure: io, not_found where the list of CPUs that are
/// on line cannot be read.
Expected<Topology> read_topology(Host& host);

/// Replaces `cores` and `packages` by what hwloc sees on the live machine; leaves them where hwloc cannot tell.
void add_live_details(Topology& topology);

/// cpus node_cpus cores nodes ram, and queues where `interface` of `server` has receive queues. What is unknown is absent.
Facts facts_of(const Topology& topology, Host& server, const std::string& interface);

/// Which CPUs server and load get, in the order in which workers take them.
struct Placement {
  std::vector<CpuId> server;  // worker i runs on server[i mod size]
  CpuSet load;
  std::vector<CpuId> rps;  // what queues.rps.count takes, in this order
};

/// load.cpus "auto": the last CPU where there are two or three, the last quarter from four on, where the server then
/// avoids them. server.placement may be a CPU list. Failure: invalid_input for CPUs that are not allowed here.
/// `client`: the load's machine, where it is another one; "auto" then leaves the load to its scheduler, and the server has all CPUs here.
Expected<Placement> place(const Topology& topology, const ServerSection& server, const LoadSection& load, const Topology* client = nullptr);

}  // namespace netsettle::runners
