#pragma once
// From which NUMA nodes the server takes its memory: from the word of the experiment file to the policy of a process, and back from what
// the kernel shows of it.

#include <string>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/topology/topology.hpp"

namespace netsettle::runners {

/// "default", "local", "bind" (the nodes of `cpus`), "interleave" (all nodes that have memory) or "node:N". Failures: invalid_input for a
/// node that is not there or has no memory for netsettle; unsupported where a machine does not say which nodes its CPUs are on.
Expected<MemoryPolicy> memory_policy(const Topology& topology, const std::string& word, const std::vector<CpuId>& cpus);

/// As the kernel writes it: "default", "local", "bind:0", "interleave:0-1".
std::string to_text(const MemoryPolicy& policy);

/// The policy of a running process: that of its stack in /proc/PID/numa_maps. Failures: those of reading; not_found where it says none.
Expected<std::string> read_memory_policy(Host& host, pid_t pid);

/// Why the choice cannot matter on a machine; nothing where it can.
std::optional<std::string> why_memory_is_inert(const Topology& topology);

}  // namespace netsettle::runners
