#include "runners/hosts/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {
namespace {

constexpr std::size_t kMaxAnswer = 1u << 20;

/// The name for people: abstract names with "@", as ss(8) writes them.
std::string readable(const std::string& name) { return name.starts_with('\0') ? "@" + std::string(name.c_str() + 1) : name; }

Error socket_error(int errno_value, const std::string& name, const char* what) {
  Error error = errno_error(errno_value, readable(name), what);
  if (errno_value == ECONNREFUSED) error.code = ErrorCode::not_found;
  if (errno_value == EAGAIN) error.code = ErrorCode::timed_out;
  return error;
}

void limit_waiting(const Descriptor& socket, Microseconds patience) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(patience);
  const timeval limit{seconds.count(), (patience - seconds).count()};
  for (const int which : {SO_SNDTIMEO, SO_RCVTIMEO}) ::setsockopt(socket.get(), SOL_SOCKET, which, &limit, sizeof limit);
}

Expected<Descriptor> connect_to(const std::string& name, Microseconds patience) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.empty() || name.size() > sizeof address.sun_path) return fail(ErrorCode::invalid_input, readable(name), "not a socket's name");
  std::memcpy(address.sun_path, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return std::unexpected(socket_error(errno, name, "no socket"));
  limit_waiting(socket, patience);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
    return std::unexpected(socket_error(errno, name, "cannot be connected to"));
  return socket;
}

Expected<void> check_listener(const Descriptor& socket, const UnixPeer& peer) {
  ucred listener{};
  socklen_t size = sizeof listener;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &listener, &size) != 0)
    return std::unexpected(socket_error(errno, peer.name, "does not say who is listening"));
  if (listener.pid == peer.pid) return {};
  return fail(ErrorCode::conflict, readable(peer.name), fmt::format("belongs to process {}, not to {}", listener.pid, peer.pid));
}

Expected<void> send_with_credentials(const Descriptor& socket, const std::string& name, std::string_view question) {
  iovec text{const_cast<char*>(question.data()), question.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_CREDENTIALS;
  header->cmsg_len = CMSG_LEN(sizeof(ucred));
  const ucred self{::getpid(), ::geteuid(), ::getegid()};
  std::memcpy(CMSG_DATA(header), &self, sizeof self);
  const ssize_t count = ::sendmsg(socket.get(), &message, MSG_NOSIGNAL);
  if (count < 0) return std::unexpected(socket_error(errno, name, "the question cannot be sent"));
  if (static_cast<std::size_t>(count) != question.size()) return std::unexpected(socket_error(EIO, name, "the question was cut off"));
  return {};
}

Expected<std::string> read_to_end(const Descriptor& socket, const std::string& name) {
  std::string answer;
  char block[4096];
  while (answer.size() < kMaxAnswer) {
    const ssize_t count = ::recv(socket.get(), block, sizeof block, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(socket_error(errno, name, "the answer cannot be read"));
    if (count == 0) return answer;
    answer.append(block, static_cast<std::size_t>(count));
  }
  return fail(ErrorCode::unsupported, readable(name), "the answer does not end");
}

}  // namespace

Expected<std::string> ask_unix_socket(const UnixPeer& peer, std::string_view question, Microseconds patience) {
  NETSETTLE_ASSIGN(const Descriptor socket, connect_to(peer.name, patience));
  NETSETTLE_TRY(check_listener(socket, peer));
  NETSETTLE_TRY(send_with_credentials(socket, peer.name, question));
  return read_to_end(socket, peer.name);
}

}  // namespace netsettle::runners
