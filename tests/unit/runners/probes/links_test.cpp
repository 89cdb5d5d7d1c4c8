#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/probes/counters.hpp"
#include "runners/probes/link_counters.hpp"

namespace netsettle::runners {
namespace {

using Texts = std::map<std::string, std::string>;

CounterDeltas between(Texts before, Texts after) {
  return difference({.texts = std::move(before)}, {.texts = std::move(after)}, AddressFamily::ipv4, {0});
}

TEST_CASE("drops of a queueing discipline are those of the root, which has its bands' in it") {
  const auto drops = parse_qdisc_drops(
      R"([{"kind":"mq","handle":"1:","root":true,"dev":"eth0","drops":7},{"kind":"fq","parent":"1:1","dev":"eth0","drops":4},)"
      R"({"kind":"noqueue","handle":"0:","root":true,"dev":"lo","drops":0}])");
  REQUIRE(drops);
  CHECK(*drops == std::map<std::string, std::uint64_t>{{"eth0", 7}, {"lo", 0}});
  CHECK(parse_qdisc_drops(R"([{"kind":"fq","root":true,"drops":4}])").value().at("") == 4);
  CHECK(parse_qdisc_drops("[]").value().empty());
}

TEST_CASE("what is no list of queueing disciplines is refused") {
  for (const char* text : {"", "{}", "[", R"([{"root":true}])", R"([{"root":true,"drops":-1}])", R"([{"root":true,"drops":"x"}])"})
    CHECK_FALSE(parse_qdisc_drops(text));
}

TEST_CASE("connection tracking counters are added up over the CPUs") {
  const auto counters =
      parse_conntrack("entries  found drop early_drop\n00000002 00000001 0000000a 00000000\n00000002 00000001 00000001 00000000\n");
  REQUIRE(counters);
  CHECK(counters->at("drop") == 11);
  for (const char* text : {"", "\n", "entries drop\n00000001\n", "entries drop\n00000001 x\n"}) CHECK_FALSE(parse_conntrack(text));
}

TEST_CASE("packets that connection tracking dropped are counted on both sides, once where they are one") {
  const auto table = [](const char* drop) { return std::string("entries drop\n00000000 ") + drop + "\n"; };
  CHECK(between({{"conntrack.server", table("00000001")}}, {{"conntrack.server", table("00000004")}}).conntrack_drops == 3);
  CHECK(between({{"conntrack.server", table("00000001")}, {"conntrack.client", table("00000000")}},
                {{"conntrack.server", table("00000004")}, {"conntrack.client", table("00000002")}})
            .conntrack_drops == 5);
  CHECK_FALSE(between({}, {}).conntrack_drops);
}

TEST_CASE("links have their own counters, and what is not there is absent") {
  const CounterDeltas deltas = between({{"link.server", "rx_packets 10\nrx_dropped 1\nrx_missed_errors 2\nrx_fifo_errors 3\n"},
                                        {"link.client", "tx_packets 5\ntx_dropped 0\n"},
                                        {"qdisc.client", R"([{"root":true,"drops":4294967295}])"}},
                                       {{"link.server", "rx_packets 110\nrx_dropped 4\nrx_missed_errors 12\nrx_fifo_errors 4\n"},
                                        {"link.client", "tx_packets 105\ntx_dropped 9\n"},
                                        {"qdisc.client", R"([{"root":true,"drops":4}])"}});
  CHECK(deltas.server_link.rx_packets == 100);
  CHECK(deltas.server_link.rx_dropped == 3);
  CHECK(deltas.server_link.rx_missed == 11);
  CHECK_FALSE(deltas.server_link.tx_packets);
  CHECK_FALSE(deltas.server_link.qdisc_drops);
  CHECK(deltas.client_link.tx_packets == 100);
  CHECK(deltas.client_link.tx_dropped == 9);
  CHECK(deltas.client_link.qdisc_drops == 5);
}

TEST_CASE("a link's carrier changes and bytes are counted") {
  const CounterDeltas deltas = between({{"link.server", "carrier_changes 2\nrx_bytes 1000\ntx_bytes 7\n"}},
                                       {{"link.server", "carrier_changes 4\nrx_bytes 3500\ntx_bytes 8\n"}});
  CHECK(deltas.server_link.carrier_changes == 2);
  CHECK(deltas.server_link.rx_bytes == 2500);
  CHECK(deltas.server_link.tx_bytes == 1);
}

TEST_CASE("packets that IP discarded are read of the family that is measured") {
  const Texts before{{"snmp.server", "Ip: InDiscards\nIp: 1\n"}, {"snmp6.server", "Ip6InDiscards 5\n"}};
  const Texts after{{"snmp.server", "Ip: InDiscards\nIp: 4\n"}, {"snmp6.server", "Ip6InDiscards 5\n"}};
  CHECK(between(before, after).ip_discards == 3);
  CHECK(difference({.texts = before}, {.texts = after}, AddressFamily::ipv6, {}).ip_discards == 0);
}

}  // namespace
}  // namespace netsettle::runners
