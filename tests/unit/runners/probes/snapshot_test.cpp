#include <catch2/catch.hpp>

#include "runners/probes/counters.hpp"
#include "tests/support/fake_host.hpp"

namespace netsettle::runners {
namespace {

using tests::FakeHost;

TEST_CASE("a snapshot reads the machine's files from the host and the UDP counters from both namespaces") {
  FakeHost host, server("server"), client("client");
  host.add_file("/proc/net/softnet_stat", "softnet");
  host.add_file("/proc/stat", "stat");
  host.add_file("/proc/meminfo", "meminfo");
  server.add_file("/proc/net/snmp", "server 4");
  server.add_file("/proc/net/snmp6", "server 6");
  client.add_file("/proc/net/snmp", "client 4");
  client.add_file("/proc/net/snmp6", "client 6");
  const std::map<std::string, std::string> expected = {{"softnet", "softnet"},      {"stat", "stat"},
                                                       {"meminfo", "meminfo"},      {"snmp.server", "server 4"},
                                                       {"snmp.client", "client 4"}, {"snmp6.server", "server 6"},
                                                       {"snmp6.client", "client 6"}};
  CHECK(take_snapshot({.host = host, .server = server, .client = client}).texts == expected);
}

TEST_CASE("what does not exist is absent from a snapshot") {
  FakeHost host, server("server"), client("client");
  host.add_file("/proc/stat", "stat");
  CHECK(take_snapshot({.host = host, .server = server, .client = client}).texts == std::map<std::string, std::string>{{"stat", "stat"}});
}

TEST_CASE("where server and client are one host its UDP counters are read once for both") {
  FakeHost host;
  host.add_file("/proc/net/snmp", "udp");
  const Snapshot snapshot = take_snapshot({.host = host, .server = host, .client = host});
  CHECK(snapshot.texts == std::map<std::string, std::string>{{"snmp.server", "udp"}, {"snmp.client", "udp"}});
  int reads = 0;
  for (const tests::Operation& operation : host.log().operations()) reads += operation.subject == "/proc/net/snmp" ? 1 : 0;
  CHECK(reads == 1);
}

void add_link(FakeHost& host, const std::string& interface, int index, int peer, const std::string& dropped) {
  const std::string folder = "/sys/class/net/" + interface + "/";
  host.add_file(folder + "ifindex", std::to_string(index) + "\n");
  host.add_file(folder + "iflink", std::to_string(peer) + "\n");
  host.add_file(folder + "statistics/rx_dropped", dropped + "\n");
}

TEST_CASE("with interfaces a snapshot has both links, their queueing disciplines, sockets and vectors") {
  FakeHost host, server("server"), client("client");
  add_link(server, "eth0", 2, 3, "5");
  add_link(client, "eth1", 3, 2, "no number");
  server.add_program("tc", {.standard_output = "[]"});
  server.add_file("/proc/net/udp", "udp");
  server.add_file("/proc/net/stat/nf_conntrack", "conntrack");
  host.add_file("/proc/interrupts", "  CPU0\n 7: 1  X 1-edge      eth0-rx-0\n 8: 1  X 2-edge      eth0-rx-1\n");
  const Snapshot snapshot = take_snapshot({.host = host,
                                           .server = server,
                                           .client = client,
                                           .server_interface = "eth0",
                                           .client_interface = "eth1",
                                           .queue_irqs = {7, 8}});
  CHECK(snapshot.texts.at("link.server") == "ifindex 2\niflink 3\nrx_dropped 5\n");
  CHECK(snapshot.texts.at("link.client") == "ifindex 3\niflink 2\n");
  CHECK(snapshot.texts.at("qdisc.server") == "[]");
  CHECK_FALSE(snapshot.texts.contains("qdisc.client"));
  CHECK(snapshot.texts.at("udp.server") == "udp");
  CHECK(snapshot.texts.at("conntrack.server") == "conntrack");
  CHECK(snapshot.texts.at("vectors.server") == "7 8\n");
}

TEST_CASE("frequency and heat of each CPU are one text each, and absent where the machine has none") {
  FakeHost host;
  CHECK(take_snapshot({.host = host, .server = host, .client = host}).texts.empty());
  for (const char* cpu : {"cpu0", "cpu1"}) {
    const std::string folder = std::string("/sys/devices/system/cpu/") + cpu + "/";
    host.add_file(folder + "thermal_throttle/core_throttle_count", "4\n");
    host.add_file(folder + "cpufreq/scaling_cur_freq", "2100000\n");
  }
  host.add_file("/sys/devices/system/cpu/cpufreq/boost", "1\n");
  const Snapshot snapshot = take_snapshot({.host = host, .server = host, .client = host});
  CHECK(snapshot.texts.at("throttle") == "cpu0.core 4\ncpu1.core 4\n");
  CHECK(snapshot.texts.at("cpufreq") == "cpu0 2100000\ncpu1 2100000\n");
}

}  // namespace
}  // namespace netsettle::runners
