#include "runners/echo/echo_socket.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

struct FreeAddress {
  void operator()(addrinfo* address) const { freeaddrinfo(address); }
};
using Address = std::unique_ptr<addrinfo, FreeAddress>;

Expected<Address> numeric_address(const std::string& address, int port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return fail(ErrorCode::invalid_input, address, "is not a numeric IPv4 or IPv6 address");
  return Address(found);
}

std::int64_t buffer_size(int descriptor, int option) {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  getsockopt(descriptor, SOL_SOCKET, option, &bytes, &size);  // cannot fail on an open socket
  return bytes;
}

}  // namespace

Expected<EchoSocket> EchoSocket::bind(const std::string& address, int port) {
  NETSETTLE_ASSIGN(const Address resolved, numeric_address(address, port));
  const std::string subject = fmt::format("{} port {}", address, port);
  Descriptor socket(::socket(resolved->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return std::unexpected(errno_error(errno, subject, "no UDP socket"));
  const int on = 1;
  if (resolved->ai_family == AF_INET6 && setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) != 0)
    return std::unexpected(errno_error(errno, subject, "IPV6_V6ONLY was refused"));
  if (::bind(socket.get(), resolved->ai_addr, resolved->ai_addrlen) != 0)
    return std::unexpected(errno_error(errno, subject, "cannot be bound"));
  return EchoSocket(std::move(socket));
}

std::int64_t EchoSocket::receive_buffer() const { return buffer_size(descriptor(), SO_RCVBUF); }
std::int64_t EchoSocket::send_buffer() const { return buffer_size(descriptor(), SO_SNDBUF); }

}  // namespace netsettle::runners
