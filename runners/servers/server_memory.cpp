#include "runners/servers/server_memory.hpp"

#include <fmt/format.h>

#include "datasets/model/cpu_place.hpp"
#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

using Mode = MemoryPolicy::Mode;

Expected<MemoryPolicy> one_node(const Topology& topology, int node) {
  if (topology.memory_nodes.contains(node)) return MemoryPolicy{Mode::bind, {node}};
  return fail(ErrorCode::invalid_input, kMemoryPolicy,
              topology.memory_nodes.empty() ? fmt::format("there is no node {}: this machine has no NUMA", node)
                                            : fmt::format("there is no node {} with memory that may be used; there are: {}", node,
                                                          to_cpu_list(topology.memory_nodes)));
}

Expected<MemoryPolicy> nodes_of_cpus(const Topology& topology, const std::vector<CpuId>& cpus) {
  MemoryPolicy policy{Mode::bind, {}};
  for (const auto& [node, own] : topology.nodes)
    for (const CpuId cpu : cpus)
      if (own.contains(cpu) && topology.memory_nodes.contains(node)) policy.nodes.insert(node);
  if (!policy.nodes.empty()) return policy;
  return fail(ErrorCode::unsupported, kMemoryPolicy,
              topology.nodes.empty() ? "\"bind\" cannot be had here: this machine has no NUMA"
                                     : fmt::format("\"bind\" cannot be had here: no node of the CPUs {} has memory that may be used",
                                                   to_cpu_list(CpuSet(cpus.begin(), cpus.end()))));
}

}  // namespace

Expected<MemoryPolicy> memory_policy(const Topology& topology, const std::string& word, const std::vector<CpuId>& cpus) {
  if (word == "default") return MemoryPolicy{Mode::standard, {}};
  if (word == "local") return MemoryPolicy{Mode::local, {}};
  if (word == "bind") return nodes_of_cpus(topology, cpus);
  if (const auto node = node_in_word(word)) return one_node(topology, *node);
  if (word != "interleave") return fail(ErrorCode::invalid_input, kMemoryPolicy, fmt::format("\"{}\" is no memory policy", word));
  if (topology.memory_nodes.empty())
    return fail(ErrorCode::unsupported, kMemoryPolicy, "\"interleave\" cannot be had here: this machine has no NUMA");
  return MemoryPolicy{Mode::interleave, topology.memory_nodes};
}

std::string to_text(const MemoryPolicy& policy) {
  switch (policy.mode) {
    case Mode::local:
      return "local";
    case Mode::bind:
      return "bind:" + to_cpu_list(policy.nodes);
    case Mode::interleave:
      return "interleave:" + to_cpu_list(policy.nodes);
    case Mode::standard:
    case Mode::inherited:
      break;
  }
  return "default";
}

Expected<std::string> read_memory_policy(Host& host, pid_t pid) {
  const std::string path = fmt::format("/proc/{}/numa_maps", pid);
  NETSETTLE_ASSIGN(const std::string text, host.read_file(path));
  for (const std::string_view line : split_lines(text)) {
    // "7ffd8c1e3000 bind:0 stack anon=3 dirty=3 N0=3 kernelpagesize_kB=4"
    const auto words = split_words(line);
    if (words.size() > 2 && words[2] == "stack") return std::string(words[1]);
  }
  return fail(ErrorCode::not_found, path, "does not show the process's stack");
}

std::optional<std::string> why_memory_is_inert(const Topology& topology) {
  if (topology.memory_nodes.size() > 1) return std::nullopt;
  return topology.memory_nodes.empty() ? "this machine has no NUMA: all memory is one" : "this machine has one NUMA node with memory";
}

}  // namespace netsettle::runners
