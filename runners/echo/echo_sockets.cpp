#include "runners/echo/echo_sockets.hpp"

#include <netdb.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "runners/echo/cpu_steering.hpp"

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

std::string subject_of(const SocketRequest& request) { return fmt::format("{} port {}", request.address, request.port); }

Expected<void> set_option(int socket, const std::string& subject, int level, int option, std::string_view name, std::int64_t value) {
  if (value > std::numeric_limits<int>::max()) return fail(ErrorCode::invalid_input, std::string(name), "is more than a socket takes");
  const int number = static_cast<int>(value);
  if (setsockopt(socket, level, option, &number, sizeof number) == 0) return {};
  return std::unexpected(errno_error(errno, subject, fmt::format("{} {} was refused", name, value)));
}

Expected<void> busy_poll(int socket, const SocketRequest& request) {
  const auto set = set_option(socket, subject_of(request), SOL_SOCKET, SO_BUSY_POLL, "SO_BUSY_POLL", request.busy_poll.count());
  if (set || set.error().errno_value != EPERM) return set;
  return fail(ErrorCode::permission_denied, "SO_BUSY_POLL",
              fmt::format("{} us need CAP_NET_ADMIN, or net.core.busy_read of at least as much", request.busy_poll.count()));
}

Expected<Descriptor> new_socket(const SocketRequest& request, int family) {
  const std::string subject = subject_of(request);
  Descriptor socket(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return std::unexpected(errno_error(errno, subject, "no UDP socket"));
  const int fd = socket.get();
  if (family == AF_INET6) NETSETTLE_TRY(set_option(fd, subject, IPPROTO_IPV6, IPV6_V6ONLY, "IPV6_V6ONLY", 1));
  if (request.receive_buffer > 0) NETSETTLE_TRY(set_option(fd, subject, SOL_SOCKET, SO_RCVBUF, "SO_RCVBUF", request.receive_buffer));
  if (request.send_buffer > 0) NETSETTLE_TRY(set_option(fd, subject, SOL_SOCKET, SO_SNDBUF, "SO_SNDBUF", request.send_buffer));
  if (request.busy_poll.count() > 0) NETSETTLE_TRY(busy_poll(fd, request));
  return socket;
}

Expected<void> share_port(int socket, const SocketRequest& request) {
  return set_option(socket, subject_of(request), SOL_SOCKET, SO_REUSEPORT, "SO_REUSEPORT", 1);
}

/// The first is bound without SO_REUSEPORT, which the kernel refuses where anybody else has the port; it shares the port from then on.
Expected<Descriptor> bind_one(const SocketRequest& request, const addrinfo& address, bool first) {
  const bool group = request.sharing != SocketSharing::shared;
  NETSETTLE_ASSIGN(Descriptor socket, new_socket(request, address.ai_family));
  if (group && !first) NETSETTLE_TRY(share_port(socket.get(), request));
  if (::bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0) {
    Error error = errno_error(errno, subject_of(request), "cannot be bound");
    if (error.errno_value == EADDRINUSE) error.code = ErrorCode::busy;
    return std::unexpected(std::move(error));
  }
  if (group && first) NETSETTLE_TRY(share_port(socket.get(), request));
  return socket;
}

/// Many sockets, pipes and workers: as many descriptors as an unprivileged process may have. What is refused shows itself later.
void allow_many_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Expected<EchoSockets> EchoSockets::bind(const SocketRequest& request) {
  if (request.sharing == SocketSharing::reuseport_cpu && request.cpus.empty())
    return fail(ErrorCode::invalid_input, "--sockets", "reuseport-cpu needs --cpus: it sends each packet to a worker of its CPU");
  NETSETTLE_ASSIGN(const Address address, numeric_address(request.address, request.port));
  const std::size_t count = request.sharing == SocketSharing::shared ? 1 : request.workers;
  if (count > 1) allow_many_descriptors();
  std::vector<Descriptor> sockets;
  for (std::size_t i = 0; i < count; ++i) {
    NETSETTLE_ASSIGN(Descriptor socket, bind_one(request, *address, i == 0));
    sockets.push_back(std::move(socket));
  }
  // One alone is no group for the kernel, and gets all packets anyway.
  if (request.sharing == SocketSharing::reuseport_cpu && count > 1)
    NETSETTLE_TRY(steer_by_cpu(sockets.front().get(), request.cpus, request.workers));
  return EchoSockets(std::move(sockets));
}

GrantedBuffers EchoSockets::buffers(std::size_t index) const {
  return {.receive = buffer_size(descriptor(index), SO_RCVBUF), .send = buffer_size(descriptor(index), SO_SNDBUF)};
}

}  // namespace netsettle::runners
