#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>

#include "runners/echo/io_model.hpp"
#include "runners/echo/packet.hpp"

namespace netsettle::runners {
namespace {

constexpr std::size_t kLargestDatagram = 65535;

/// An answer to port 0 cannot arrive: the kernel refuses to send it.
bool has_port(const sockaddr_storage& client) {
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  return reinterpret_cast<const sockaddr_in&>(client).sin_port != 0;
}

}  // namespace

void serve_blocking(int socket, WorkerCounters& counters, const StopRequest& stop) {
  std::array<std::uint8_t, kLargestDatagram> buffer;
  while (!stop.load(std::memory_order_relaxed)) {
    sockaddr_storage client;
    socklen_t client_size = sizeof client;
    auto* const address = reinterpret_cast<sockaddr*>(&client);
    const ssize_t size = recvfrom(socket, buffer.data(), buffer.size(), 0, address, &client_size);
    if (size < 0) {
      if (!stop.load(std::memory_order_relaxed)) count_one(counters.errors);
      continue;
    }
    count_one(counters.received);
    const auto bytes = static_cast<std::size_t>(size);
    const PacketKind kind = turn_into_answer({buffer.data(), bytes});
    if (kind == PacketKind::malformed) {
      count_one(counters.malformed);
    } else if (kind == PacketKind::not_query || !has_port(client)) {
      count_one(counters.not_queries);
    } else if (sendto(socket, buffer.data(), bytes, 0, address, client_size) < 0) {
      count_one(counters.errors);
    } else {
      count_one(counters.answered);
    }
  }
}

}  // namespace netsettle::runners
