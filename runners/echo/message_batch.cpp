#include "runners/echo/message_batch.hpp"

namespace netsettle::runners {
namespace {

// Not a multiple of 4096: the first bytes of all buffers would compete for the same few cache lines.
constexpr std::size_t kStride = kLargestDatagram + 1 + std::size_t{3} * 64;

}  // namespace

void send_messages(std::span<mmsghdr> messages, const ServeTask& task) {
  while (!messages.empty()) {
    const int sent = sendmmsg(task.socket, messages.data(), static_cast<unsigned>(messages.size()), 0);
    if (sent > 0) {
      count_many(task.counters.answered, static_cast<std::uint64_t>(sent));
      messages = messages.subspan(static_cast<std::size_t>(sent));
    } else if (errno != EINTR || task.stop.load(std::memory_order_relaxed)) {
      count_one(task.counters.errors);  // the first was refused; a call that fails later says so when it is made again
      messages = messages.subspan(1);
    }
  }
}

MessageBatch::MessageBatch(const ServeTask& task)
    : task_(task),
      bytes_(new std::uint8_t[kStride * static_cast<std::size_t>(task.batch)]),
      clients_(static_cast<std::size_t>(task.batch)),
      pieces_(clients_.size()),
      messages_(clients_.size()),
      answers_(clients_.size()) {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    pieces_[i] = {.iov_base = bytes_.get() + i * kStride, .iov_len = kLargestDatagram};
    messages_[i].msg_hdr = {.msg_name = &clients_[i], .msg_iov = &pieces_[i], .msg_iovlen = 1};
  }
}

std::span<mmsghdr> MessageBatch::receive() {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    pieces_[i].iov_len = kLargestDatagram;
    messages_[i].msg_hdr.msg_namelen = sizeof(sockaddr_storage);
  }
  const int received = recvmmsg(task_.socket, messages_.data(), static_cast<unsigned>(messages_.size()), MSG_WAITFORONE, nullptr);
  if (received < 0) {
    count_failed_read(errno, task_.counters);
    return {};
  }
  std::size_t answers = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(received); ++i) {
    const std::span datagram(static_cast<std::uint8_t*>(pieces_[i].iov_base), messages_[i].msg_len);
    if (!becomes_answer(datagram, reinterpret_cast<const sockaddr&>(clients_[i]), task_.counters)) continue;
    pieces_[i].iov_len = datagram.size();
    answers_[answers++].msg_hdr = messages_[i].msg_hdr;
  }
  return std::span(answers_).first(answers);
}

}  // namespace netsettle::runners
