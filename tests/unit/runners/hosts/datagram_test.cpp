#include "runners/hosts/datagram.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <thread>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using namespace std::chrono_literals;

namespace {

/// Answers one datagram with its bytes reversed.
class ReversingServer {
 public:
  explicit ReversingServer(int family) : socket_(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_addr = in6addr_loopback;
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_v4 = family == AF_INET;
    const auto* address = is_v4 ? reinterpret_cast<const sockaddr*>(&v4) : reinterpret_cast<const sockaddr*>(&v6);
    REQUIRE(::bind(socket_.get(), address, is_v4 ? sizeof v4 : sizeof v6) == 0);
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    REQUIRE(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&bound), &size) == 0);
    port_ = ntohs(is_v4 ? reinterpret_cast<sockaddr_in&>(bound).sin_port : reinterpret_cast<sockaddr_in6&>(bound).sin6_port);
    thread_ = std::jthread([this] { answer(); });
  }
  int port() const { return port_; }

 private:
  void answer() const {
    char bytes[512];
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const ssize_t count = ::recvfrom(socket_.get(), bytes, sizeof bytes, 0, reinterpret_cast<sockaddr*>(&peer), &size);
    if (count < 0) return;
    std::reverse(bytes, bytes + count);
    ::sendto(socket_.get(), bytes, static_cast<std::size_t>(count), 0, reinterpret_cast<sockaddr*>(&peer), size);
  }
  Descriptor socket_;
  int port_ = 0;
  std::jthread thread_;
};

}  // namespace

TEST_CASE("a datagram is answered over IPv4 and IPv6") {
  const auto host = make_local_host();
  const auto [family, address] = GENERATE(std::pair(AF_INET, "127.0.0.1"), std::pair(AF_INET6, "::1"));
  const ReversingServer server(family);
  CHECK(host->exchange_datagram(address, server.port(), std::string_view("a\0b", 3), 10s).value() == std::string("b\0a", 3));
}

TEST_CASE("names, bad addresses and bad ports are invalid input") {
  for (const std::string address : {"localhost", "", "127.0.0.256", "::g", "127.0.0.1:53"})
    CHECK(connect_datagram_socket(address, 53).error().code == ErrorCode::invalid_input);
  for (const int port : {0, -1, 65536}) CHECK(connect_datagram_socket("127.0.0.1", port).error().code == ErrorCode::invalid_input);
}

TEST_CASE("no answer is timed_out") {
  const Descriptor silent(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::bind(silent.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  socklen_t size = sizeof address;
  REQUIRE(::getsockname(silent.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const auto socket = connect_datagram_socket("127.0.0.1", ntohs(address.sin_port)).value();
  CHECK(exchange_on(socket, "hello", 20ms).error().code == ErrorCode::timed_out);
}
