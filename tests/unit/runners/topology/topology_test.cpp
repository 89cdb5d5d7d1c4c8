#include "runners/topology/topology.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "runners/topology/host_facts.hpp"
#include "tests/support/fake_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::FakeHost;

namespace {

FakeHost eight_cpus() {
  FakeHost host;
  host.add_file("/sys/devices/system/cpu/online", "0-7\n");
  host.add_file("/sys/devices/system/cpu/isolated", "7\n");
  host.add_file("/proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,6-7\n");
  host.add_file("/proc/meminfo", "MemTotal:       16384 kB\nMemAvailable: 1 kB\n");
  host.add_file("/sys/devices/system/node/online", "0-1\n");
  host.add_file("/sys/devices/system/node/node0/cpulist", "0-3\n");
  host.add_file("/sys/devices/system/node/node1/cpulist", "4-7\n");
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    host.add_file(folder + "core_id", std::to_string(cpu / 2) + "\n");
    host.add_file(folder + "physical_package_id", std::to_string(cpu / 4) + "\n");
  }
  return host;
}

}  // namespace

TEST_CASE("allowed CPUs are on line, in the own affinity mask and not isolated") {
  FakeHost host = eight_cpus();
  const auto topology = read_topology(host);
  REQUIRE(topology.has_value());
  CHECK(to_cpu_list(topology->online) == "0-7");
  CHECK(to_cpu_list(topology->allowed) == "0-3,6");
  CHECK(topology->cores == 3);
  CHECK(topology->packages == 2);
  CHECK(topology->nodes.at(1) == CpuSet{4, 5, 6, 7});
  CHECK(topology->ram_bytes == 16384 * 1024);
}

TEST_CASE("what is not there stays unknown") {
  FakeHost host;
  CHECK_FALSE(read_topology(host).has_value());
  host.add_file("/sys/devices/system/cpu/online", "0-1\n");
  const auto topology = read_topology(host);
  REQUIRE(topology.has_value());
  CHECK_FALSE(topology->cores.has_value());
  CHECK(topology->nodes.empty());
}

TEST_CASE("a machine whose CPUs are all isolated is refused") {
  FakeHost host;
  host.add_file("/sys/devices/system/cpu/online", "0-1\n");
  host.add_file("/sys/devices/system/cpu/isolated", "0-1\n");
  const auto topology = read_topology(host);
  REQUIRE_FALSE(topology.has_value());
  CHECK(topology.error().code == ErrorCode::unsupported);
}

TEST_CASE("facts count the receive queues of the interface") {
  FakeHost host = eight_cpus();
  for (const char* queue : {"rx-0", "rx-1", "tx-0"}) host.add_file(std::string("/sys/class/net/nic0/queues/") + queue + "/x", "");
  const auto facts = facts_of(*read_topology(host), host, "nic0");
  CHECK(facts.at("cpus") == 5);
  CHECK(facts.at("queues") == 2);
  CHECK(facts.at("nodes") == 2);
  CHECK(facts_of(*read_topology(host), host, "absent").count("queues") == 0);
}

TEST_CASE("cores are told by the lists of siblings, older and newer ones, and packages by their number") {
  for (const char* file : {"core_cpus_list", "thread_siblings_list"}) {
    FakeHost host = eight_cpus();
    for (int cpu = 0; cpu < 8; ++cpu)  // 0 and 4 are a core, 1 and 5 …
      host.add_file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/{}", cpu, file), fmt::format("{},{}\n", cpu % 4, cpu % 4 + 4));
    const Topology topology = read_topology(host).value();
    CHECK(topology.core_of == std::map<CpuId, CpuId>{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {6, 2}});
    CHECK(topology.package_of.at(6) == 1);
    CHECK(topology.cores == 4);
  }
}

TEST_CASE("a machine that does not say the core of one CPU has no cores, rather than wrong ones") {
  FakeHost host = eight_cpus();
  host.remove_file("/sys/devices/system/cpu/cpu2/topology/core_id");
  const Topology topology = read_topology(host).value();
  CHECK(topology.core_of.empty());
  CHECK_FALSE(topology.cores.has_value());
}

TEST_CASE("nodes with memory are those that the control group may take it from") {
  FakeHost host = eight_cpus();
  CHECK(read_topology(host)->memory_nodes == std::set<int>{0, 1});
  host.add_file("/sys/devices/system/node/has_memory", "1,3\n");
  CHECK(read_topology(host)->memory_nodes == std::set<int>{1, 3});
  host.add_file("/proc/self/status", "Cpus_allowed_list:\t0-7\nMems_allowed_list:\t0-1\n");
  CHECK(read_topology(host)->memory_nodes == std::set<int>{1});
}

TEST_CASE("node_cpus are the allowed CPUs near the interface, and a card has a speed") {
  FakeHost host = eight_cpus();
  const std::string card = "/sys/devices/pci0000:00/0000:01:00.0";
  host.add_link("/sys/class/net/eth0", card + "/net/eth0");
  host.add_link(card + "/net/eth0/device", "../..");
  host.add_file(card + "/net/eth0/speed", "25000\n");
  host.add_file(card + "/numa_node", "1\n");
  host.add_file(card + "/local_cpulist", "4-7\n");
  const auto facts = facts_of(*read_topology(host), host, "eth0");
  CHECK(facts.at("node_cpus") == 1);  // CPU 6 alone is allowed there
  CHECK(facts.at("link_gbps") == 25);
  host.add_file(card + "/net/eth0/speed", "-1\n");
  CHECK_FALSE(facts_of(*read_topology(host), host, "eth0").contains("link_gbps"));
  CHECK(facts_of(*read_topology(host), host, "lo").at("node_cpus") == 5);
}

TEST_CASE("the fingerprint follows the machine, not the kernel or the boot") {
  HostFacts a{{"cpu_model", "X"}, {"cpus_online", "0-1"}, {"kernel_release", "6.1"}, {"boot_id", "1"}};
  HostFacts b = a;
  b["kernel_release"] = "6.2";
  b["boot_id"] = "2";
  CHECK(fingerprint(a) == fingerprint(b));
  b["cpu_model"] = "Y";
  CHECK(fingerprint(a) != fingerprint(b));
}

TEST_CASE("host facts are read where they exist, and a process is found by its name") {
  FakeHost host = eight_cpus();
  host.add_file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\nflags\t\t: fpu hypervisor\n");
  host.add_file("/proc/sys/kernel/osrelease", "6.18.1\n");
  host.add_file("/proc/17/comm", "irqbalance\n");
  const auto facts = read_host_facts(host, *read_topology(host));
  CHECK(facts.at("cpu_model") == "Fast CPU @ 3 GHz");
  CHECK(facts.at("virtual_machine") == "yes");
  CHECK(facts.at("kernel_release") == "6.18.1");
  CHECK(facts.at("irqbalance") == "running");
  CHECK(facts.count("governor") == 0);
}
