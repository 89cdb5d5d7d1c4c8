#include "runners/topology/placement.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace netsettle;
using namespace netsettle::runners;

namespace {

Topology with_cpus(CpuSet cpus) {
  Topology topology;
  topology.online = topology.allowed = std::move(cpus);
  return topology;
}

CpuSet up_to(CpuId count) {
  CpuSet cpus;
  for (CpuId cpu = 0; cpu < count; ++cpu) cpus.insert(cpu);
  return cpus;
}

/// As Linux numbers them on two sockets: first threads of node 0, then of node 1, then the second threads in the same order.
Topology two_nodes(int cores_a_node, int threads) {
  const int cores = 2 * cores_a_node;
  Topology topology = with_cpus(up_to(cores * threads));
  for (const CpuId cpu : topology.allowed) {
    const int core = cpu % cores, node = core / cores_a_node;
    topology.core_of[cpu] = core;
    topology.package_of[cpu] = node;
    topology.nodes[node].insert(cpu);
  }
  topology.memory_nodes = {0, 1};
  return topology;
}

struct Asked {
  std::string placement = "spread", load = "auto";
};

/// "0,4,1,5 | 7" — the server's CPUs in their order and the load's; or the error.
std::string placed(const Topology& topology, const Asked& asked, const InterfacePlace& interface = {}, const Topology* client = nullptr) {
  ServerSection server;
  server.placement = asked.placement;
  LoadSection load;
  load.cpus = asked.load;
  const auto placement = place(topology, server, load, client, interface);
  if (!placement) return to_text(placement.error());
  return fmt::format("{} | {}", fmt::join(placement->server, ","), to_cpu_list(placement->load));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the load gets the last CPUs and, from four on, the server the others") {
  CHECK(placed(with_cpus({0}), {}) == "0 | 0");
  CHECK(placed(with_cpus({5}), {}) == "5 | 5");  // a lone CPU 5 is CPU 5, not 0-5
  CHECK(placed(with_cpus({0, 1}), {}) == "0,1 | 1");
  CHECK(placed(with_cpus({0, 1, 2}), {}) == "0,1,2 | 2");
  CHECK(placed(with_cpus({0, 1, 2, 3}), {}) == "0,1,2 | 3");
  CHECK(placed(with_cpus(up_to(8)), {}) == "0,1,2,3,4,5 | 6-7");
  CHECK(placed(with_cpus({1, 3, 5, 7}), {}) == "1,3,5 | 7");
}

TEST_CASE("the automatic load takes whole cores, so that no thread of the server shares one with it") {
  const Topology topology = two_nodes(2, 2);  // cores 0-3, second threads 4-7
  CHECK(placed(topology, {.placement = "pack"}) == "0,1,4,5,2,6 | 3,7");
}

TEST_CASE("spread goes over the nodes and over the cores before it comes to second threads") {
  CHECK(placed(two_nodes(4, 1), {.placement = "spread", .load = "7"}) == "0,4,1,5,2,6,3 | 7");
  CHECK(placed(two_nodes(2, 2), {.placement = "spread", .load = "7"}) == "0,2,1,3,4,6,5 | 7");
}

TEST_CASE("pack fills a node before the next one, and its cores before their second threads") {
  CHECK(placed(two_nodes(4, 1), {.placement = "pack", .load = "7"}) == "0,1,2,3,4,5,6 | 7");
  CHECK(placed(two_nodes(2, 2), {.placement = "pack", .load = "7"}) == "0,1,4,5,2,3,6 | 7");
}

TEST_CASE("siblings takes all threads of a core before the next, one-per-core the first of each") {
  CHECK(placed(two_nodes(2, 2), {.placement = "siblings", .load = "3,7"}) == "0,4,1,5,2,6 | 3,7");
  CHECK(placed(two_nodes(2, 2), {.placement = "one-per-core", .load = "3,7"}) == "0,1,2 | 3,7");
  // Where the load has the first thread of a core the second one is the server's first there.
  CHECK(placed(two_nodes(2, 2), {.placement = "one-per-core", .load = "0-1"}) == "4,5,2,3 | 0-1");
}

TEST_CASE("without second threads siblings and one-per-core are refused with the reason") {
  for (const char* word : {"siblings", "one-per-core"}) {
    CHECK(has(placed(two_nodes(4, 1), {.placement = word}), "no core here has two hardware threads"));
    CHECK(has(placed(with_cpus(up_to(8)), {.placement = word}), "does not say which CPUs share a core"));
  }
  Topology halved = two_nodes(2, 2);  // the second threads may not be used
  halved.allowed = {0, 1, 2, 3};
  CHECK(has(placed(halved, {.placement = "siblings"}), "two hardware threads that may be used"));
}

TEST_CASE("nic-node and remote-node follow the interface, with the load on another machine") {
  const Topology topology = two_nodes(2, 2), client = with_cpus(up_to(4));
  const InterfacePlace interface{{2, 3, 6, 7}, ""};
  CHECK(placed(topology, {.placement = "nic-node"}, interface, &client) == "2,3,6,7 | ");
  CHECK(placed(topology, {.placement = "remote-node"}, interface, &client) == "0,1,4,5 | ");
  CHECK(placed(topology, {.placement = "nic-node", .load = "1-2"}, interface, &client) == "2,3,6,7 | 1-2");
}

TEST_CASE("a node that is not known is a reason, never node 0") {
  const InterfacePlace unknown{{}, "the kernel does not know which node eth1 is near (its numa_node is -1)"};
  for (const char* word : {"nic-node", "remote-node"}) {
    CHECK(placed(two_nodes(2, 1), {.placement = word}, unknown) ==
          fmt::format("server.placement: \"{}\" cannot be had here: {}", word, unknown.why_unknown));
    CHECK(has(placed(with_cpus(up_to(4)), {.placement = word}, {{0, 1}, ""}), "one NUMA node"));
  }
  CHECK(has(placed(two_nodes(2, 1), {.placement = "remote-node"}, {up_to(4), ""}), "no CPU that may be used (0-3) is away"));
}

TEST_CASE("a place of the load that takes the whole node of the server is refused") {
  const InterfacePlace interface{{2, 3}, ""};
  CHECK(has(placed(two_nodes(2, 1), {.placement = "nic-node", .load = "node:1"}, interface), "load.cpus takes all of its CPUs (2-3)"));
  CHECK(has(placed(with_cpus(up_to(4)), {.placement = "spread", .load = "0-3"}), "load.cpus takes all of its CPUs (0-3)"));
}

TEST_CASE("load.cpus by node, package and cores") {
  const Topology topology = two_nodes(2, 2);
  const auto load = [&](const std::string& cpus) {
    const std::string text = placed(topology, {.placement = "spread", .load = cpus});
    const auto bar = text.find(" | ");
    return bar == std::string::npos ? text : text.substr(bar + 3);
  };
  CHECK(load("node:1") == "2-3,6-7");
  CHECK(load("package:0") == "0-1,4-5");
  CHECK(load("cores:1") == "3,7");
  CHECK(load("cores:1@node:0") == "1,5");
  CHECK(load("cores:2@package:1") == "2-3,6-7");
  CHECK(load("node:2") == "load.cpus: there is no node 2; there are: 0-1");
  CHECK(load("package:7") == "load.cpus: there is no package 7 with CPUs that may be used; there are: 0-1");
  CHECK(load("cores:3@node:0") == "load.cpus: cores:3@node:0: there are 2 cores (CPUs 0-1,4-5)");
  CHECK(load("9") == "load.cpus: CPU 9 is not available here (available: 0-7)");
  CHECK(has(load("fast ones"), "not a CPU list"));
}

TEST_CASE("places that a machine does not have are named with why") {
  Topology plain = with_cpus(up_to(4));
  CHECK(has(placed(plain, {.load = "node:0"}), "this machine has no NUMA"));
  CHECK(has(placed(plain, {.load = "package:0"}), "does not say which CPUs are in which package"));
  plain.nodes = {{0, up_to(4)}, {1, {}}};
  CHECK(has(placed(plain, {.load = "node:1"}), "none of its CPUs (none) may be used here"));
  const Topology client = with_cpus({0, 1});
  CHECK(has(placed(plain, {.load = "5"}, {}, &client), "CPU 5 is not available here (available: 0-1) (on the client)"));
}

TEST_CASE("CPU lists of the server must exist and leave the load its own") {
  CHECK(placed(with_cpus({0, 1}), {.placement = "1"}) == "1 | 1");
  CHECK(has(placed(with_cpus({0, 1}), {.placement = "5"}), "server.placement: CPU 5 is not available here"));
  CHECK(has(placed(with_cpus({0, 1}), {.placement = "fastest"}), "neither a CPU list (like 0-3) nor one of spread, pack"));
  CHECK(placed(with_cpus(up_to(4)), {.placement = "2-3"}) == "2,3 | 1");  // the automatic load makes way
  CHECK(placed(with_cpus(up_to(4)), {.placement = "0-3", .load = "auto"}).find("are the load's too") != std::string::npos);
  CHECK(placed(with_cpus(up_to(4)), {.placement = "0-2", .load = "2-3"}) ==
        "server.placement: the CPUs 2 are the load's too: give load.cpus others of 0-3");
}

TEST_CASE("from eight CPUs on netsettle keeps one for itself, away from the interface where it can") {
  const auto reserved = [](Topology topology, const std::string& text, const CpuSet& near = {}) {
    const auto done = reserve_cpus(topology, text, near);
    return done ? fmt::format("{} of {}", to_cpu_list(topology.reserved), to_cpu_list(topology.allowed)) : to_text(done.error());
  };
  CHECK(reserved(with_cpus(up_to(7)), "auto") == " of 0-6");
  CHECK(reserved(with_cpus(up_to(8)), "auto") == "7 of 0-6");
  CHECK(reserved(with_cpus(up_to(8)), "auto", {4, 5, 6, 7}) == "3 of 0-2,4-7");
  CHECK(reserved(with_cpus(up_to(8)), "auto", up_to(8)) == "7 of 0-6");
  CHECK(reserved(with_cpus(up_to(8)), "none") == " of 0-7");
  CHECK(reserved(with_cpus(up_to(4)), "0") == "0 of 1-3");
  CHECK(has(reserved(with_cpus(up_to(4)), "4"), "rig.reserved_cpus: CPU 4 is not available here"));
  CHECK(has(reserved(with_cpus({2, 3}), "2-3"), "nothing is left"));
}

TEST_CASE("a reserved CPU goes to neither server nor load nor interrupts") {
  Topology topology = two_nodes(2, 2);
  REQUIRE(reserve_cpus(topology, "auto"));
  const auto placement = place(topology, {}, {});
  REQUIRE(placement);
  CHECK(to_cpu_list(CpuSet(placement->server.begin(), placement->server.end())) == "0-1,4-5");
  CHECK(to_cpu_list(placement->load) == "2-3,6");
  CHECK(placement->rps == std::vector<CpuId>{0, 1, 2, 3, 4, 5, 6});
  CHECK(has(placed(topology, {.placement = "7"}), "CPU 7 is kept for netsettle itself (rig.reserved_cpus)"));
  CHECK(has(placed(topology, {.load = "6-7"}), "CPU 7 is kept for netsettle itself"));
}

TEST_CASE("what is near an interface, or why that is not known") {
  Nic nic;
  nic.device.name = "eth1";
  nic.placement_cpus = {2, 3};
  nic.node_source = NodeSource::file;
  CHECK(place_of(nic).local == CpuSet{2, 3});
  nic.node_source = NodeSource::unknown;
  CHECK(place_of(nic).local.empty());
  CHECK(has(place_of(nic).why_unknown, "numa_node is -1"));
  nic.node_source = NodeSource::file;
  nic.placement_fallback = true;
  nic.local_cpus = CpuSet{6, 7};
  CHECK(has(place_of(nic).why_unknown, "none of the CPUs near eth1 (6-7)"));
  nic.local_cpus.reset();
  CHECK(has(place_of(nic).why_unknown, "virtual device"));
  nic.device.kind = NicKind::pci;
  CHECK(has(place_of(nic).why_unknown, "does not say which CPUs"));
}

TEST_CASE("every word gives each CPU once, on machines from 1 to 256 CPUs") {
  for (const int cores : {1, 2, 3, 4, 6, 12, 48, 64})
    for (const int threads : {1, 2}) {
      Topology topology = two_nodes(cores, threads);
      REQUIRE(reserve_cpus(topology, "auto", topology.nodes[1]));
      for (const char* word : {"spread", "pack", "siblings", "one-per-core", "nic-node", "remote-node"}) {
        INFO(cores << " cores a node, " << threads << " threads, " << word);
        ServerSection server;
        server.placement = word;
        const Topology client = with_cpus({0});
        const auto placement = place(topology, server, {}, &client, {topology.nodes[1], ""});
        if (!placement) {
          CHECK(threads == 1);
          CHECK(placement.error().code == ErrorCode::unsupported);
          continue;
        }
        const CpuSet distinct(placement->server.begin(), placement->server.end());
        CHECK(distinct.size() == placement->server.size());
        CHECK_FALSE(distinct.empty());
        CHECK(intersection(distinct, topology.allowed) == distinct);
      }
    }
}
