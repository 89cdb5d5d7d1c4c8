#pragma once
// One datagram in, one answer out: what all I/O models share. Inline, because a call for each datagram would be measurable.

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runners/echo/io_model.hpp"
#include "runners/echo/packet.hpp"

namespace netsettle::runners {

inline constexpr std::size_t kLargestDatagram = 65535;

/// An answer to port 0 cannot arrive: the kernel refuses to send it.
inline bool has_port(const sockaddr& client) {
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  return reinterpret_cast<const sockaddr_in&>(client).sin_port != 0;
}

/// Counts a datagram that was read. True where it has been turned into the answer that is to be sent to `client`.
inline bool becomes_answer(std::span<std::uint8_t> datagram, const sockaddr& client, WorkerCounters& counters) {
  count_one(counters.received);
  if (datagram.size() < kDnsHeaderSize) {
    count_one(counters.malformed);
    return false;
  }
  if (!has_port(client) || turn_into_answer(datagram) != PacketKind::query) {
    count_one(counters.not_queries);
    return false;
  }
  return true;
}

/// Counts a read that failed: nothing there, or a signal, is no error.
inline void count_failed_read(int error, WorkerCounters& counters) {
  if (error != EAGAIN && error != EINTR) count_one(counters.errors);
}

/// Exchanges one datagram after the other, through one buffer.
class SingleExchange {
 public:
  explicit SingleExchange(const ServeTask& task) : task_(task), buffer_(new std::uint8_t[kLargestDatagram]) {}

  bool stopped() const { return task_.stop.load(std::memory_order_relaxed); }

  /// `flags` of recvfrom. False where nothing was read. The answer waits for room in the send buffer, whatever the flags: a query that
  /// was read is answered, or counted as an error.
  bool exchange(int flags) {
    sockaddr_storage client;
    socklen_t client_size = sizeof client;
    auto* const address = reinterpret_cast<sockaddr*>(&client);
    const ssize_t size = recvfrom(task_.socket, buffer_.get(), kLargestDatagram, flags, address, &client_size);
    if (size < 0) {
      count_failed_read(errno, task_.counters);
      return false;
    }
    const std::span datagram(buffer_.get(), static_cast<std::size_t>(size));
    if (becomes_answer(datagram, *address, task_.counters)) answer(datagram, address, client_size);
    return true;
  }

  /// What a wake-up is good for: up to `batch` datagrams that are there already.
  void exchange_batch() {
    for (int i = 0; i < task_.batch && exchange(MSG_DONTWAIT); ++i)
      if (stopped()) return;
  }

 private:
  void answer(std::span<const std::uint8_t> bytes, const sockaddr* client, socklen_t client_size) {
    while (sendto(task_.socket, bytes.data(), bytes.size(), 0, client, client_size) < 0) {
      if (errno == EINTR && !stopped()) continue;
      count_one(task_.counters.errors);
      return;
    }
    count_one(task_.counters.answered);
  }

  const ServeTask task_;
  std::unique_ptr<std::uint8_t[]> buffer_;
};

}  // namespace netsettle::runners
