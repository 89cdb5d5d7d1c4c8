#pragma once
// Which CPUs and nodes a machine has, and which of the CPUs netsettle may use. From files only, so that captured trees work.

#include <map>
#include <optional>
#include <string>

#include "datasets/model/cpu_set.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

/// What is absent could not be read; an empty set is one that the machine shows as empty.
struct CpuSurvey {
  std::optional<CpuSet> possible;
  std::optional<CpuSet> present;
  CpuSet online;
  std::optional<CpuSet> isolated;
  std::optional<CpuSet> nohz_full;
  std::optional<CpuSet> cpuset;    // of netsettle's control group, version 1 or 2
  std::optional<CpuSet> affinity;  // of netsettle itself
  CpuSet allowed;                  // online ∩ cpuset ∩ affinity − isolated
};

/// Failure: where the list of CPUs on line cannot be read.
Expected<CpuSurvey> read_cpu_survey(Host& host);

/// The CPUs of the control group of the process that reads: of its own group, or of the nearest group above that says it.
std::optional<CpuSet> read_cpuset(Host& host);

/// NUMA node → CPUs: those of its cpulist, which are on line, and those that its folder names. A node with memory only has none. Empty
/// where the kernel has no NUMA.
std::map<int, CpuSet> read_nodes(Host& host);

/// A file with a CPU list ("0-3,8"); nullopt where it is not there or holds something else ("(null)").
std::optional<CpuSet> read_cpu_list_file(Host& host, const std::string& path);

CpuSet intersection(const CpuSet& a, const CpuSet& b);

}  // namespace netsettle::runners
