#include "runners/hosts/datagram.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

Expected<SocketAddress> parse_address(const std::string& address, int port) {
  if (port < 1 || port > 65535) return fail(ErrorCode::invalid_input, fmt::format("{}", port), "not a port");
  SocketAddress parsed;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    std::memcpy(&parsed.storage, &v4, sizeof v4);
    parsed.size = sizeof v4;
    return parsed;
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(static_cast<std::uint16_t>(port));
  if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) != 1)
    return fail(ErrorCode::invalid_input, address, "not a numeric IPv4 or IPv6 address");
  std::memcpy(&parsed.storage, &v6, sizeof v6);
  parsed.size = sizeof v6;
  return parsed;
}

}  // namespace

Expected<Descriptor> connect_datagram_socket(const std::string& address, int port) {
  NETSETTLE_ASSIGN(const SocketAddress peer, parse_address(address, port));
  Descriptor socket(::socket(peer.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return std::unexpected(errno_error(errno, address, "no socket"));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&peer.storage), peer.size) != 0)
    return std::unexpected(errno_error(errno, address, "cannot be reached"));
  return socket;
}

Expected<std::string> exchange_on(const Descriptor& socket, std::string_view bytes, Microseconds timeout) {
  if (::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0)
    return std::unexpected(errno_error(errno, "", "the datagram cannot be sent"));
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd event{socket.get(), POLLIN, 0};
    const int ready = ::poll(&event, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) break;
    if (ready == 0) return fail(ErrorCode::timed_out, "", "no answer to the datagram");
    if (errno != EINTR) return std::unexpected(errno_error(errno, "", "the answer cannot be waited for"));
  }
  std::string answer(65536, '\0');
  const ssize_t count = ::recv(socket.get(), answer.data(), answer.size(), 0);
  if (count < 0) return std::unexpected(errno_error(errno, "", "no answer to the datagram"));
  answer.resize(static_cast<std::size_t>(count));
  return answer;
}

}  // namespace netsettle::runners
