#include "runners/probes/counters.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

constexpr const char* kMeminfo = "MemTotal:       16000 kB\nMemFree:        1000 kB\nMemAvailable:   4000 kB\n";

std::string softnet_line(int columns) {
  std::string line;
  for (int i = 0; i < columns; ++i) line += (i ? " " : "") + std::string("00000000");
  return line + "\n";
}

TEST_CASE("softnet_stat of an unknown width is refused") {
  for (const int columns : {1, 8, 12, 14}) CHECK_FALSE(parse_softnet(softnet_line(columns), {0}));
  for (const int columns : {9, 10, 11, 13, 15, 16, 20}) CHECK(parse_softnet(softnet_line(columns), {0}));
}

TEST_CASE("softnet_stat without CPU numbers must have as many lines as there are CPUs on line") {
  CHECK(parse_softnet(softnet_line(11) + softnet_line(11), {2, 5}).value()[1].cpu == 5);
  CHECK_FALSE(parse_softnet(softnet_line(11), {2, 5}));
  CHECK_FALSE(parse_softnet(softnet_line(11) + softnet_line(11), {2}));
  CHECK_FALSE(parse_softnet(softnet_line(11), {}));
}

TEST_CASE("softnet_stat with a CPU twice, a cut number or a sign is refused") {
  CHECK_FALSE(parse_softnet(softnet_line(13) + softnet_line(13), {0, 1}));
  const std::string whole = softnet_line(13);
  CHECK_FALSE(parse_softnet(whole.substr(0, whole.size() - 2), {0}));
  CHECK_FALSE(parse_softnet("-0000001" + whole.substr(8), {0}));
}

TEST_CASE("32-bit differences wrap, and are absent where the counter went back") {
  CHECK(delta32(5, 5) == 0);
  CHECK(delta32(0xfffffff0, 0x10) == 32);
  CHECK(delta32(0, 0x7fffffff) == 0x7fffffff);
  CHECK_FALSE(delta32(10, 9));
  CHECK_FALSE(delta32(0, 0x80000000));
}

TEST_CASE("snmp texts without values, with signs or with words are refused") {
  for (const char* text : {"", "Udp: InDatagrams\n", "Udp: InDatagrams\nUdp: -1\n", "Udp: InDatagrams\nUdp: x\n", "Udp: A B\nUdp: 1 2 3\n",
                           "Udp: A\nUdp: 18446744073709551616\n"})
    CHECK_FALSE(parse_snmp_udp(text));
  CHECK(parse_snmp_udp("Udp: A\nUdp: 18446744073709551615\n").value().at("A") == UINT64_MAX);
}

TEST_CASE("snmp6 texts without Udp6 rows or with a broken one are refused") {
  for (const char* text : {"", "UdpLite6InDatagrams 4\n", "Udp6InDatagrams\n", "Udp6InDatagrams x\n", "Udp6InDatagrams 1 2\n"})
    CHECK_FALSE(parse_snmp6_udp(text));
}

TEST_CASE("stat texts without the sum line or with too few columns are refused") {
  for (const char* text :
       {"", "intr 1 2 3\n", "cpu0 1 2 3 4 5 6 7\n", "cpu  1 2 3 4 5 6\n", "cpu  1 2 3 4 5 6 x\n", "cpu  1 2 3 4 5 6 -7\n"})
    CHECK_FALSE(parse_stat(text));
  CHECK(parse_stat("cpu  1 2 3 4 5 6 7\ncpuidle 1\n").value().size() == 1);
}

TEST_CASE("available memory is a share of all memory, or refused") {
  CHECK(parse_memory_available(kMeminfo).value() == 25);
  for (const char* text : {"", "MemTotal: 16000 kB\n", "MemTotal: 0 kB\nMemAvailable: 0 kB\n", "MemTotal: x kB\nMemAvailable: 4 kB\n"})
    CHECK_FALSE(parse_memory_available(text));
}

TEST_CASE("what a snapshot does not have has no difference") {
  const CounterDeltas none = difference({}, {}, AddressFamily::ipv4, {0});
  CHECK_FALSE(none.server.in);
  CHECK_FALSE(none.client.out);
  CHECK_FALSE(none.backlog_drops);
  CHECK_FALSE(none.idle_percent);
  CHECK_FALSE(none.memory_available_percent);
  CHECK(none.processed_by_cpu.empty());
}

TEST_CASE("a text that is malformed in one reading leaves the other sources alone") {
  const Snapshot before{{{"snmp.server", "Udp: InDatagrams\nUdp: 5\n"}, {"softnet", softnet_line(13)}, {"meminfo", kMeminfo}}};
  Snapshot after = before;
  after.texts["snmp.server"] = "Udp: InDatagrams\n";
  const CounterDeltas deltas = difference(before, after, AddressFamily::ipv4, {0});
  CHECK_FALSE(deltas.server.in);
  CHECK(deltas.backlog_drops == 0);
  CHECK(deltas.memory_available_percent == 25);
}

TEST_CASE("the two families and the two sides have counters of their own") {
  const auto snapshot = [](int server4, int client4, int server6, int client6) {
    const auto ipv4 = [](int count) { return "Udp: InDatagrams\nUdp: " + std::to_string(count) + "\n"; };
    const auto ipv6 = [](int count) { return "Udp6InDatagrams \t" + std::to_string(count) + "\n"; };
    return Snapshot{
        {{"snmp.server", ipv4(server4)}, {"snmp.client", ipv4(client4)}, {"snmp6.server", ipv6(server6)}, {"snmp6.client", ipv6(client6)}}};
  };
  const CounterDeltas ipv4 = difference(snapshot(0, 0, 0, 0), snapshot(1, 2, 3, 4), AddressFamily::ipv4, {});
  CHECK(ipv4.server.in == 1);
  CHECK(ipv4.client.in == 2);
  const CounterDeltas ipv6 = difference(snapshot(0, 0, 0, 0), snapshot(1, 2, 3, 4), AddressFamily::ipv6, {});
  CHECK(ipv6.server.in == 3);
  CHECK(ipv6.client.in == 4);
}

TEST_CASE("a namespace that was made anew has no difference") {
  const Snapshot before{{{"snmp.server", "Udp: InDatagrams NoPorts\nUdp: 5000000000 3\n"}}};
  const Snapshot after{{{"snmp.server", "Udp: InDatagrams NoPorts\nUdp: 12 1\n"}}};
  const CounterDeltas deltas = difference(before, after, AddressFamily::ipv4, {});
  CHECK_FALSE(deltas.server.in);
  CHECK_FALSE(deltas.server.no_ports);
}

TEST_CASE("idle time that goes back a little counts as none, work that goes back makes the shares absent") {
  const auto shares = [](const char* before, const char* after) {
    return difference({{{"stat", before}}}, {{{"stat", after}}}, AddressFamily::ipv4, {});
  };
  CHECK(shares("cpu  0 0 0 100 50 0 0 0\n", "cpu  50 0 0 150 49 0 0 0\n").idle_percent == 50);
  CHECK_FALSE(shares("cpu  9 0 0 0 0 0 0 0\n", "cpu  8 0 0 50 0 0 0 0\n").idle_percent);
  CHECK_FALSE(shares("cpu  9 0 0 0 0 0 0 0\n", "cpu  9 0 0 0 0 0 0 0\n").idle_percent);
}

}  // namespace
}  // namespace netsettle::runners
