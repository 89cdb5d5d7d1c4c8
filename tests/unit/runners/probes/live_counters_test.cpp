// Snapshots of this machine and of real namespaces, with traffic whose losses are known.

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/probes/counters.hpp"
#include "runners/probes/udp_sockets.hpp"
#include "tests/support/network_namespace.hpp"

namespace netsettle::runners {
namespace {

using tests::NetworkNamespace;

constexpr int kPort = 5399;
constexpr const char* kServerAddress = "10.213.7.1";

/// Two namespaces and the pair of interfaces between them.
struct Pair {
  NetworkNamespace server{"probes-server"}, client{"probes-client"};
  std::unique_ptr<Host> host = make_local_host(), server_host, client_host;

  Pair() {
    server.ip({"link", "add", "ps0", "type", "veth", "peer", "name", "pc0", "netns", client.name()});
    server.ip({"address", "add", std::string(kServerAddress) + "/24", "dev", "ps0"});
    client.ip({"address", "add", "10.213.7.2/24", "dev", "pc0"});
    server.ip({"link", "set", "ps0", "up"});
    client.ip({"link", "set", "pc0", "up"});
    server_host = make_namespace_host(server.name()).value();
    client_host = make_namespace_host(client.name()).value();
  }

  Snapshot snapshot() {
    return take_snapshot(
        {.host = *host, .server = *server_host, .client = *client_host, .server_interface = "ps0", .client_interface = "pc0"});
  }

  CounterDeltas since(const Snapshot& before) { return difference(before, snapshot(), AddressFamily::ipv4, online(), kPort); }

  CpuSet online() { return parse_cpu_list(host->read_file("/sys/devices/system/cpu/online").value()).value(); }

  /// `count` datagrams to a port of the server that nobody listens on.
  void send(int count) {
    for (int i = 0; i < count; ++i) (void)client_host->exchange_datagram(kServerAddress, kPort, "x", Microseconds(1000));
  }
};

TEST_CASE("datagrams between two namespaces are counted on both links and both sides") {
  Pair pair;
  pair.send(1);  // the neighbours find each other
  const Snapshot before = pair.snapshot();
  pair.send(20);
  const CounterDeltas deltas = pair.since(before);
  CHECK(deltas.client.out == 20);
  CHECK(deltas.server.no_ports == 20);
  CHECK(deltas.server.in == 0);
  REQUIRE(deltas.server_link.rx_packets);
  CHECK(*deltas.server_link.rx_packets >= 20);
  REQUIRE(deltas.client_link.tx_packets);
  CHECK(*deltas.client_link.tx_packets >= 20);
  CHECK(deltas.server_link.rx_dropped == 0);
  CHECK(deltas.server_link.rx_missed == 0);
  CHECK(deltas.client_link.qdisc_drops == 0);
  CHECK(deltas.ip_discards == 0);
  CHECK_FALSE(deltas.socket_drops);
  CHECK(deltas.queue_interrupts.empty());
  CHECK_FALSE(deltas.net_rx_by_cpu.empty());
  CHECK_FALSE(deltas.idle_by_cpu.empty());
  CHECK(before.texts.at("link.server").find("iflink") != std::string::npos);
}

TEST_CASE("datagrams that a queueing discipline drops are counted there") {
  Pair pair;
  pair.send(1);
  const auto limited = run_checked(
      *pair.client_host, {"tc", "qdisc", "replace", "dev", "pc0", "root", "tbf", "rate", "8kbit", "burst", "200", "limit", "200"});
  INFO((limited ? std::string() : to_text(limited.error())));
  REQUIRE(limited);
  const Snapshot before = pair.snapshot();
  pair.send(50);
  const CounterDeltas deltas = pair.since(before);
  REQUIRE(deltas.client_link.qdisc_drops);
  CHECK(*deltas.client_link.qdisc_drops > 0);
  CHECK(deltas.client_link.tx_dropped == 0);
}

TEST_CASE("a full socket's drops, its buffers and the buffer errors of its namespace agree") {
  Pair pair;
  const auto server = pair.server_host->start(
      {.argv = {"perl", "-MIO::Socket::INET", "-e",
                fmt::format("my $s = IO::Socket::INET->new(LocalAddr => '{}', LocalPort => {}, Proto => 'udp') or die; "
                            "$s->setsockopt(SOL_SOCKET, SO_RCVBUF, 2304); $| = 1; print \"ready\\n\"; sleep 60;",
                            kServerAddress, kPort)}});
  REQUIRE(server);
  for (int attempt = 0; attempt < 500 && (*server)->standard_output().empty(); ++attempt)
    pair.host->clock().sleep(std::chrono::milliseconds(10));
  REQUIRE((*server)->standard_output() == "ready\n");
  const Snapshot before = pair.snapshot();
  pair.send(40);
  const CounterDeltas deltas = pair.since(before);
  REQUIRE(deltas.socket_drops);
  CHECK(*deltas.socket_drops > 0);
  CHECK(deltas.socket_drops == deltas.server.rcvbuf_errors);
  CHECK(deltas.server.in_errors == deltas.server.rcvbuf_errors);
  CHECK(deltas.server.in == 0);
  const auto buffers = read_socket_buffers(*pair.server_host, kPort);
  REQUIRE(buffers);
  REQUIRE(buffers->size() == 1);
  CHECK(buffers->front().receive == 2 * 2304);
  CHECK(buffers->front().drops == *deltas.socket_drops);
}

TEST_CASE("this machine's own counter files are all read") {
  const auto host = make_local_host();
  const Snapshot snapshot =
      take_snapshot({.host = *host, .server = *host, .client = *host, .server_interface = "lo", .client_interface = "lo"});
  const CpuSet online = parse_cpu_list(host->read_file("/sys/devices/system/cpu/online").value()).value();
  CHECK(parse_softnet(snapshot.texts.at("softnet"), online));
  CHECK(parse_stat(snapshot.texts.at("stat")));
  CHECK(parse_snmp_udp(snapshot.texts.at("snmp.server")));
  CHECK(parse_snmp_ip(snapshot.texts.at("snmp.server")));
  CHECK(parse_udp_sockets(snapshot.texts.at("udp.server")));
  CHECK(snapshot.texts.at("link.client") == snapshot.texts.at("link.server"));
  const CounterDeltas deltas = difference(snapshot, snapshot, AddressFamily::ipv4, online);
  CHECK(deltas.backlog_drops == 0);
  CHECK(deltas.net_rx_by_cpu.size() >= online.size());
}

}  // namespace
}  // namespace netsettle::runners
