#pragma once
// What `netsettle doctor` shows of a machine or of a captured tree: CPUs, nodes, interfaces with their interrupts, packet counters. And the
// files it is read from, as a tree that may be sent to somebody else.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/hosts/file_tree.hpp"
#include "runners/probes/softnet.hpp"
#include "runners/topology/nic.hpp"

namespace netsettle::runners {

/// Where an interrupt may arrive and where it does; on kernels before 4.15 only the first is known.
struct IrqAffinity {
  std::optional<CpuSet> asked;
  std::optional<CpuSet> effective;
};

struct MachineView {
  std::optional<std::string> kernel;
  CpuSurvey cpus;
  std::map<int, CpuSet> nodes;
  std::map<std::string, Nic> interfaces;
  std::vector<SoftnetRow> softnet;                           // empty where it cannot be read
  std::map<int, std::map<CpuId, std::uint32_t>> interrupts;  // counts of the interfaces' interrupts, by CPU
  std::map<int, IrqAffinity> affinity;                       // of the same interrupts
  std::map<std::string, std::int64_t> net_core;              // name below /proc/sys/net/core → value
  std::vector<std::string> problems;                         // files that are there and make no sense
};

/// Reads files only. Failure: the CPUs on line, or the interfaces, cannot be read.
Expected<MachineView> read_machine(Host& host);

/// The files that read_machine() reads on this host, as a tree that gives the same view. Hardware addresses, serial numbers, the host's
/// name, command lines, the control group's path and what else /proc/self/status has are not in it.
Expected<FileTree> capture_machine(Host& host);

}  // namespace netsettle::runners
