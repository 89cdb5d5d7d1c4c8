#include "runners/topology/topology.hpp"

#include <catch2/catch.hpp>

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

Topology with_cpus(CpuSet cpus) {
  Topology topology;
  topology.online = topology.allowed = std::move(cpus);
  return topology;
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

TEST_CASE("the load gets the last CPUs and, from four on, the server the others") {
  ServerSection server;
  LoadSection load;
  struct Row {
    CpuSet cpus;
    std::string load, server;
  };
  for (const Row& row : {Row{{0}, "0", "0"}, Row{{0, 1}, "1", "0-1"}, Row{{0, 1, 2}, "2", "0-2"}, Row{{0, 1, 2, 3}, "3", "0-2"},
                         Row{{0, 1, 2, 3, 4, 5, 6, 7}, "6-7", "0-5"}}) {
    const auto placement = place(with_cpus(row.cpus), server, load);
    REQUIRE(placement.has_value());
    CHECK(to_cpu_list(placement->load) == row.load);
    CHECK(to_cpu_list(CpuSet(placement->server.begin(), placement->server.end())) == row.server);
  }
}

TEST_CASE("CPU lists of the experiment must exist") {
  ServerSection server;
  LoadSection load;
  load.cpus = "0,5";
  CHECK(place(with_cpus({0, 1}), server, load).error().text.find("CPU 5") != std::string::npos);
  load.cpus = "fast ones";
  CHECK(place(with_cpus({0, 1}), server, load).error().code == ErrorCode::invalid_input);
  load.cpus = "auto";
  server.placement = "1";
  CHECK(place(with_cpus({0, 1}), server, load)->server == std::vector<CpuId>{1});
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
