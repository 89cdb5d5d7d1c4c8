#include "runners/servers/server_memory.hpp"

#include <catch2/catch.hpp>

#include "runners/servers/server.hpp"
#include "tests/support/fake_host.hpp"

namespace netsettle::runners {
namespace {

Topology two_nodes() {
  Topology topology;
  topology.online = topology.allowed = {0, 1, 2, 3};
  topology.nodes = {{0, {0, 1}}, {1, {2, 3}}, {2, {}}};
  topology.memory_nodes = {0, 1, 2};
  return topology;
}

std::string policy(const Topology& topology, const std::string& word, const std::vector<CpuId>& cpus) {
  const auto made = memory_policy(topology, word, cpus);
  return made ? to_text(*made) : to_text(made.error());
}

TEST_CASE("the words of server.memory become what the kernel calls them") {
  const Topology topology = two_nodes();
  CHECK(policy(topology, "default", {0}) == "default");
  CHECK(policy(topology, "local", {0}) == "local");
  CHECK(policy(topology, "bind", {0, 1}) == "bind:0");
  CHECK(policy(topology, "bind", {1, 2}) == "bind:0-1");
  CHECK(policy(topology, "interleave", {0}) == "interleave:0-2");
  CHECK(policy(topology, "node:2", {0}) == "bind:2");  // a node with memory and no CPU
}

TEST_CASE("nodes that are not there or have no memory are named with those that have some") {
  Topology topology = two_nodes();
  CHECK(policy(topology, "node:7", {0}) == "memory.policy: there is no node 7 with memory that may be used; there are: 0-2");
  topology.memory_nodes = {0};
  CHECK(policy(topology, "node:1", {0}).find("there are: 0") != std::string::npos);
  CHECK(policy(topology, "bind", {2, 3}).find("no node of the CPUs 2-3 has memory") != std::string::npos);
  topology.nodes.clear();
  topology.memory_nodes.clear();
  for (const char* word : {"bind", "interleave", "node:0"}) {
    INFO(word);
    CHECK(policy(topology, word, {0}).find("this machine has no NUMA") != std::string::npos);
  }
  CHECK(policy(topology, "local", {0}) == "local");
  CHECK_FALSE(memory_policy(topology, "near", {0}).has_value());
}

TEST_CASE("with one node the choice cannot matter") {
  Topology topology = two_nodes();
  CHECK_FALSE(why_memory_is_inert(topology).has_value());
  topology.memory_nodes = {1};
  CHECK(why_memory_is_inert(topology) == "this machine has one NUMA node with memory");
  topology.memory_nodes.clear();
  CHECK(why_memory_is_inert(topology)->find("no NUMA") != std::string::npos);
}

TEST_CASE("the policy of a process is that of its stack, also where the program bound a region otherwise") {
  tests::FakeHost host;
  host.add_file("/proc/77/numa_maps",
                "55d0f0000000 bind:1 file=/usr/sbin/named mapped=10 N0=10 kernelpagesize_kB=4\n"
                "7f0000000000 interleave:0-1 anon=4 dirty=4 N0=2 N1=2 kernelpagesize_kB=4\n"
                "7ffd8c1e3000 bind:0 stack anon=3 dirty=3 N0=3 kernelpagesize_kB=4\n");
  CHECK(read_memory_policy(host, 77).value() == "bind:0");
  host.add_file("/proc/78/numa_maps", "");
  CHECK(read_memory_policy(host, 78).error().code == ErrorCode::not_found);
  CHECK_FALSE(read_memory_policy(host, 79).has_value());
}

TEST_CASE("server.placement and memory.policy of a configuration are put into the section, and wrong words are refused") {
  const auto section = with_settings(ServerSection(), {{"server.placement", "siblings"}, {"memory.policy", "node:1"}});
  REQUIRE(section);
  CHECK(section->placement == "siblings");
  CHECK(section->memory == "node:1");
  CHECK(with_settings(ServerSection(), {{"server.placement", "0-3"}})->placement == "0-3");
  const auto placement = with_settings(ServerSection(), {{"server.placement", "nearby"}});
  REQUIRE_FALSE(placement);
  CHECK(placement.error().text.find("one of spread, pack, one-per-core") != std::string::npos);
  for (const char* word : {"node:", "node:x", "node:-1", "far", ""}) {
    INFO(word);
    const auto memory = with_settings(ServerSection(), {{"memory.policy", word}});
    REQUIRE_FALSE(memory);
    CHECK(memory.error().subject == "memory.policy");
  }
  ServerSection file;
  file.memory = "bind";
  CHECK(to_text(values_of(file, {}).at("memory.policy")) == "bind");
}

}  // namespace
}  // namespace netsettle::runners
