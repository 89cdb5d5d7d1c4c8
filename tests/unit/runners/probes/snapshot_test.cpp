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
  CHECK(take_snapshot(host, server, client).texts == expected);
}

TEST_CASE("what does not exist is absent from a snapshot") {
  FakeHost host, server("server"), client("client");
  host.add_file("/proc/stat", "stat");
  CHECK(take_snapshot(host, server, client).texts == std::map<std::string, std::string>{{"stat", "stat"}});
}

TEST_CASE("where server and client are one host its UDP counters are read once for both") {
  FakeHost host;
  host.add_file("/proc/net/snmp", "udp");
  const Snapshot snapshot = take_snapshot(host, host, host);
  CHECK(snapshot.texts == std::map<std::string, std::string>{{"snmp.server", "udp"}, {"snmp.client", "udp"}});
  int reads = 0;
  for (const tests::Operation& operation : host.log().operations()) reads += operation.subject == "/proc/net/snmp" ? 1 : 0;
  CHECK(reads == 1);
}

}  // namespace
}  // namespace netsettle::runners
