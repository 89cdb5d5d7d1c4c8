#include "runners/probes/udp_sockets.hpp"

#include <catch2/catch.hpp>

#include "runners/probes/counters.hpp"
#include "tests/support/fake_host.hpp"

namespace netsettle::runners {
namespace {

using tests::FakeHost;

constexpr const char* kNames =
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n";

std::string socket_line(const std::string& local, int inode, const std::string& drops) {
  return "  100: " + local + " 00000000:0000 07 00000010:00034000 00:00000000 00000000     0        0 " + std::to_string(inode) +
         " 2 0000000000000000 " + drops + "\n";
}

TEST_CASE("a line of the socket table gives addresses, queues, inode and drops") {
  const auto sockets = parse_udp_sockets(kNames + socket_line("0100007F:14B4", 41001, "12"));
  REQUIRE(sockets);
  REQUIRE(sockets->size() == 1);
  const UdpSocket& socket = sockets->front();
  CHECK(socket.local == "127.0.0.1:5300");
  CHECK(socket.remote == "0.0.0.0:0");
  CHECK(socket.local_port == 5300);
  CHECK(socket.rx_queue == 212992);
  CHECK(socket.tx_queue == 16);
  CHECK(socket.inode == 41001);
  CHECK(socket.drops == 12);
  CHECK(parse_udp_sockets(kNames + socket_line("0000000000000000FFFF00000100007F:0035", 1, "0")).value().front().local ==
        "[::ffff:127.0.0.1]:53");
}

TEST_CASE("socket tables without names, with few columns or with bad numbers are refused") {
  for (const std::string& text : {std::string(), socket_line("0100007F:14B4", 1, "0"),
                                  kNames + std::string("  1: 0100007F:14B4 00000000:0000\n"), kNames + socket_line("0100007F", 1, "0"),
                                  kNames + socket_line("0100007:14B4", 1, "0"), kNames + socket_line("0100007F:014B4x", 1, "0"),
                                  kNames + socket_line("0100007F:14B4", 1, "-1"), kNames + socket_line("0100007F:14B4", 1, "")}) {
    INFO(text);
    CHECK_FALSE(parse_udp_sockets(text));
  }
  CHECK(parse_udp_sockets(kNames).value().empty());
}

TEST_CASE("ss tells the buffers that each socket was granted, on one line or on two") {
  for (const char* between : {" ", "\n\t "}) {
    const auto sockets = parse_socket_buffers(
        std::string("UNCONN 0      0          127.0.0.1:5300       0.0.0.0:*    ino:1 sk:2 <->") + between +
        "skmem:(r0,rb212992,t0,tb425984,f4096,w0,o0,bl0,d17)\n" + "UNCONN 0      0      127.0.0.53%lo:53         0.0.0.0:*\n" +
        "UNCONN 0      0              [::]:53            [::]:*" + between + "skmem:(r0,rb1,t0,tb2,f0)\n");
    REQUIRE(sockets);
    REQUIRE(sockets->size() == 2);
    CHECK(sockets->front().local == "127.0.0.1:5300");
    CHECK(sockets->front().receive == 212992);
    CHECK(sockets->front().send == 425984);
    CHECK(sockets->front().drops == 17);
    CHECK(sockets->back().port == 53);
    CHECK(sockets->back().receive == 1);
  }
}

TEST_CASE("output of ss that has no addresses or no buffer sizes is refused") {
  for (const char* text : {"ss: unknown option\n", "UNCONN 0 0 127.0.0.1 0.0.0.0:*\n", "UNCONN 0 0 127.0.0.1:99999 0.0.0.0:*\n",
                           "UNCONN 0 0 127.0.0.1:53 0.0.0.0:* skmem:(r0,t0)\n", "UNCONN 0 0 127.0.0.1:53 0.0.0.0:* skmem:(rbx,tb1)\n"})
    CHECK_FALSE(parse_socket_buffers(text));
  CHECK(parse_socket_buffers("").value().empty());
}

TEST_CASE("buffers of other ports are left out, and without ss they are absent") {
  FakeHost host;
  CHECK(read_socket_buffers(host, 53).error().code == ErrorCode::not_found);
  host.add_program("ss", {.standard_output = "UNCONN 0 0 127.0.0.1:53 0.0.0.0:* skmem:(r0,rb1,t0,tb2,d3)\n"
                                             "UNCONN 0 0 127.0.0.1:54 0.0.0.0:* skmem:(r0,rb4,t0,tb5,d6)\n"});
  const auto sockets = read_socket_buffers(host, 53);
  REQUIRE(sockets);
  REQUIRE(sockets->size() == 1);
  CHECK(sockets->front().drops == 3);
}

std::optional<std::int64_t> drops_between(const std::string& before, const std::string& after, int port = 53) {
  const Snapshot first{{{"udp.server", kNames + before}}}, second{{{"udp.server", kNames + after}}};
  return difference(first, second, AddressFamily::ipv4, {}, port).socket_drops;
}

TEST_CASE("drops are those of the server's own sockets") {
  const std::string own = "00000000:0035", other = "0100007F:14B4";
  CHECK(drops_between(socket_line(own, 1, "5") + socket_line(other, 2, "0"), socket_line(own, 1, "8") + socket_line(other, 2, "9")) == 3);
  CHECK(drops_between(socket_line(own, 1, "5"), socket_line(own, 1, "8") + socket_line(own, 3, "4")) == 7);
  CHECK(drops_between(socket_line(own, 1, "4294967295"), socket_line(own, 1, "1")) == 2);
}

TEST_CASE("where a socket of the server was closed meanwhile its drops are not known") {
  const std::string own = "00000000:0035";
  CHECK_FALSE(drops_between(socket_line(own, 1, "5"), socket_line(own, 2, "0")));
  CHECK_FALSE(drops_between(socket_line(own, 1, "5"), ""));
  CHECK_FALSE(drops_between("", ""));
  CHECK_FALSE(difference({}, {}, AddressFamily::ipv4, {}, 53).socket_drops);
}

TEST_CASE("a server that listens on both families is counted in both tables") {
  const auto snapshot = [](const char* drops) {
    return Snapshot{{{"udp.server", kNames}, {"udp6.server", kNames + socket_line("00000000000000000000000000000000:0035", 7, drops)}}};
  };
  CHECK(difference(snapshot("1"), snapshot("4"), AddressFamily::ipv4, {}, 53).socket_drops == 3);
}

}  // namespace
}  // namespace netsettle::runners
