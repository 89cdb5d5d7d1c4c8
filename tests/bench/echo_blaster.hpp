#pragma once
// More queries than a server can answer, from several source ports; answers are thrown away. For benchmarks on loopback.

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runners/hosts/descriptor.hpp"

namespace netsettle::bench {

class EchoBlaster {
 public:
  explicit EchoBlaster(int port) {
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = htons(static_cast<std::uint16_t>(port));
    for (int i = 0; i < kPorts; ++i) {
      sockets_.emplace_back(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
      connect(sockets_.back().get(), reinterpret_cast<const sockaddr*>(&server), sizeof server);
    }
    for (mmsghdr& answer : answers_) answer.msg_hdr = {.msg_iov = &answer_piece_, .msg_iovlen = 1};
  }

  void blast(std::chrono::milliseconds duration) {
    const auto end = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < end) {
      for (std::size_t i = 0; i < sockets_.size(); ++i) send_burst(sockets_[i].get(), 28 + i % 5 * 4);  // as queries for usual names
      take_answers();
    }
  }

  /// Sends one query until an answer comes. False after two seconds.
  bool probe() {
    const timeval patience{0, 2000};
    const int socket = sockets_.front().get();
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::array<char, 64> answer;
    for (int attempt = 0; attempt < 1000; ++attempt) {
      send(socket, kHeader.data(), kHeader.size(), 0);
      if (recv(socket, answer.data(), answer.size(), 0) > 0) return true;
      if (errno == ECONNREFUSED) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // not bound yet
    }
    return false;
  }

 private:
  static constexpr int kPorts = 16;
  static constexpr unsigned kBurst = 16;
  inline static const std::string kHeader = std::string("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00", 12);

  /// One call for all: the kernel cuts the bytes into datagrams of `size` (UDP_SEGMENT).
  void send_burst(int socket, std::size_t size) {
    std::string bytes;
    for (unsigned i = 0; i < kBurst; ++i) bytes += kHeader + std::string(size - kHeader.size(), 'q');
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(std::uint16_t))> control{};
    iovec piece{.iov_base = bytes.data(), .iov_len = bytes.size()};
    msghdr message{.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.data(), .msg_controllen = control.size()};
    cmsghdr* const segment = CMSG_FIRSTHDR(&message);
    segment->cmsg_level = SOL_UDP;
    segment->cmsg_type = UDP_SEGMENT;
    segment->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
    const auto segment_size = static_cast<std::uint16_t>(size);
    std::memcpy(CMSG_DATA(segment), &segment_size, sizeof segment_size);
    sendmsg(socket, &message, MSG_DONTWAIT);
  }

  void take_answers() {
    for (const runners::Descriptor& socket : sockets_)
      while (recvmmsg(socket.get(), answers_.data(), kBurst, MSG_DONTWAIT, nullptr) == kBurst) {
      }
  }

  std::vector<runners::Descriptor> sockets_;
  std::array<mmsghdr, kBurst> answers_{};
  char answer_byte_ = 0;
  iovec answer_piece_{.iov_base = &answer_byte_, .iov_len = 1};  // the rest is cut off
};

}  // namespace netsettle::bench
