#pragma once
// Buffers for many datagrams, as recvmmsg and sendmmsg want them.

#include <sys/socket.h>

#include <memory>
#include <vector>

#include "runners/echo/exchange.hpp"

namespace netsettle::runners {

/// Sends all messages; waits for room in the send buffer. What the kernel refuses is counted as an error, and so is the rest where the
/// stop request comes while there is no room.
void send_messages(std::span<mmsghdr> messages, const ServeTask& task);

class MessageBatch {
 public:
  explicit MessageBatch(const ServeTask& task);
  MessageBatch(MessageBatch&&) = default;

  bool stopped() const { return task_.stop.load(std::memory_order_relaxed); }
  /// Waits for one datagram, then takes those that are there too. Returns the answers to send, valid until the next call.
  std::span<mmsghdr> receive();
  void send(std::span<mmsghdr> answers) { send_messages(answers, task_); }

 private:
  const ServeTask task_;
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::vector<sockaddr_storage> clients_;
  std::vector<iovec> pieces_;
  std::vector<mmsghdr> messages_;
  std::vector<mmsghdr> answers_;
};

}  // namespace netsettle::runners
