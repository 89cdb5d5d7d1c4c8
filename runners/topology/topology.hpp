#pragma once
// CPUs, cores and nodes of a machine. Read from files through Host, so that captured trees work; hwloc adds what only the live machine
// tells. Where the parts of a study are placed: placement.hpp.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/experiment.hpp"
#include "datasets/model/search_space.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

struct Topology {
  CpuSet online;
  CpuSet allowed;            // online ∩ cpuset of the control group ∩ affinity of netsettle − isolated − reserved
  std::optional<int> cores;  // physical cores among the allowed
  std::optional<int> packages;
  std::map<int, CpuSet> nodes;  // NUMA node → CPUs; empty where the kernel has no NUMA
  std::int64_t ram_bytes = 0;
  CpuSet reserved = {};                  // kept for netsettle itself
  std::map<CpuId, CpuId> core_of = {};   // allowed CPU → lowest CPU of its core; empty where the kernel does not say
  std::map<CpuId, int> package_of = {};  // likewise
  std::set<int> memory_nodes = {};       // nodes that have memory which netsettle may use
};

/// From /sys/devices/system, /proc/self/status and /proc/meminfo. Failure: io, not_found where the list of CPUs that are
/// on line cannot be read.
Expected<Topology> read_topology(Host& host);

/// Replaces `cores` and `packages` by what hwloc sees on the live machine; leaves them where hwloc cannot tell.
void add_live_details(Topology& topology);

/// cpus cores nodes ram; of `interface` of `server`: node_cpus (the allowed CPUs of its node; all where it has none or it is not known),
/// queues (that receive) and link_gbps. What is unknown is absent.
Facts facts_of(const Topology& topology, Host& server, const std::string& interface);

}  // namespace netsettle::runners
