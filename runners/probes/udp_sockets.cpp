#include "runners/probes/udp_sockets.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kFile = "udp";
enum Column : std::size_t { local_address = 1, remote_address = 2, queues = 4, inode = 9, drops = 12 };

struct Endpoint {
  std::string text;
  int port = 0;
};

/// Groups of eight digits, each a 32-bit number as a little-endian machine prints it.
std::optional<std::string> address_of(std::string_view digits) {
  constexpr std::size_t kGroup = 8, kMostGroups = 4;
  const std::size_t groups = digits.size() / kGroup;
  if (digits.size() % kGroup != 0 || (groups != 1 && groups != kMostGroups)) return std::nullopt;
  std::array<unsigned char, 4 * kMostGroups> bytes{};
  for (std::size_t group = 0; group < groups; ++group) {
    const auto number = whole_number<std::uint32_t>(digits.substr(group * kGroup, kGroup), 16);
    if (!number) return std::nullopt;
    for (std::size_t byte = 0; byte < 4; ++byte) bytes[4 * group + byte] = static_cast<unsigned char>(*number >> (8 * byte));
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = groups == 1 ? AF_INET : AF_INET6;
  if (!::inet_ntop(family, bytes.data(), text.data(), text.size())) return std::nullopt;
  return family == AF_INET ? std::string(text.data()) : fmt::format("[{}]", text.data());
}

std::optional<Endpoint> endpoint_of(std::string_view word) {
  const std::size_t colon = std::min(word.find(':'), word.size());
  auto address = address_of(word.substr(0, colon));
  const auto port = colon == word.size() ? std::nullopt : whole_number<std::uint16_t>(word.substr(colon + 1), 16);
  if (!address || !port) return std::nullopt;
  return Endpoint{fmt::format("{}:{}", *address, *port), *port};
}

/// "tx:rx" in hexadecimal.
std::optional<std::pair<std::uint64_t, std::uint64_t>> queues_of(std::string_view word) {
  const std::size_t colon = std::min(word.find(':'), word.size());
  const auto tx = whole_number<std::uint64_t>(word.substr(0, colon), 16);
  const auto rx = colon == word.size() ? std::nullopt : whole_number<std::uint64_t>(word.substr(colon + 1), 16);
  if (!tx || !rx) return std::nullopt;
  return std::pair(*tx, *rx);
}

Expected<UdpSocket> socket_of(std::string_view line, std::size_t number) {
  const auto words = split_words(line);
  if (words.size() <= drops) return malformed_line(kFile, number, fmt::format("has {} columns, not {}", words.size(), drops + 1));
  const auto local = endpoint_of(words[local_address]), remote = endpoint_of(words[remote_address]);
  if (!local || !remote) return malformed_line(kFile, number, "has no two addresses with ports");
  const auto waiting = queues_of(words[queues]);
  if (!waiting) return malformed_line(kFile, number, fmt::format("{} are no queue lengths", words[queues]));
  const auto own_inode = whole_number<std::uint64_t>(words[inode]), dropped = whole_number<std::uint64_t>(words[drops]);
  if (!own_inode || !dropped) return malformed_line(kFile, number, "has no inode or no count of drops");
  return UdpSocket{.inode = *own_inode,
                   .local = local->text,
                   .remote = remote->text,
                   .local_port = local->port,
                   .rx_queue = waiting->second,
                   .tx_queue = waiting->first,
                   .drops = *dropped};
}

}  // namespace

Expected<std::vector<UdpSocket>> parse_udp_sockets(std::string_view text) {
  const auto lines = split_lines(text);
  if (lines.empty() || lines.front().find("local_address") == std::string_view::npos)
    return malformed_line(kFile, 1, "is not the line of names");
  std::vector<UdpSocket> sockets;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    NETSETTLE_ASSIGN(auto socket, socket_of(lines[i], i + 1));
    sockets.push_back(std::move(socket));
  }
  return sockets;
}

namespace {

/// One value of "skmem:(r0,rb212992,t0,tb212992,f4096,w0,o0,bl0,d0)".
std::optional<std::int64_t> memory_value(std::string_view fields, std::string_view name) {
  while (!fields.empty()) {
    const std::size_t end = std::min(fields.find(','), fields.size());
    const std::string_view field = fields.substr(0, end);
    if (field.starts_with(name))
      if (const auto value = whole_number<std::int64_t>(field.substr(name.size()))) return value;
    fields.remove_prefix(std::min(end + 1, fields.size()));
  }
  return std::nullopt;
}

std::optional<std::string_view> memory_fields(std::string_view line) {
  constexpr std::string_view kBegin = "skmem:(";
  const std::size_t begin = line.find(kBegin);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(begin + kBegin.size());
  return rest.substr(0, rest.find(')'));
}

/// State, two queue lengths, local address with port, …
Expected<SocketBuffers> local_of(std::string_view line, std::size_t number) {
  constexpr std::size_t kLocal = 3;
  const auto words = split_words(line);
  const std::string_view local = words.size() > kLocal ? words[kLocal] : std::string_view();
  const std::size_t colon = local.rfind(':');
  const auto port = colon == std::string_view::npos ? std::nullopt : whole_number<std::uint16_t>(local.substr(colon + 1));
  if (!port) return malformed_line("ss", number, "has no local address with a port");
  return SocketBuffers{.local = std::string(local), .port = *port};
}

Expected<void> add_memory(SocketBuffers& socket, std::string_view fields, std::size_t number) {
  const auto receive = memory_value(fields, "rb"), send = memory_value(fields, "tb");
  if (!receive || !send) return malformed_line("ss", number, "skmem has no rb or no tb");
  socket.receive = *receive;
  socket.send = *send;
  socket.drops = memory_value(fields, "d").value_or(0);
  return {};
}

}  // namespace

Expected<std::vector<SocketBuffers>> parse_socket_buffers(std::string_view text) {
  std::vector<SocketBuffers> sockets;
  std::optional<SocketBuffers> open;  // its skmem has not been seen yet
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed(lines[i]).empty()) continue;
    if (const bool continued = lines[i].front() == '\t' || lines[i].front() == ' '; !continued) {
      NETSETTLE_ASSIGN(open, local_of(lines[i], i + 1));
    }
    const auto fields = memory_fields(lines[i]);
    if (!open || !fields) continue;
    NETSETTLE_TRY(add_memory(*open, *fields, i + 1));
    sockets.push_back(std::move(*open));
    open.reset();
  }
  return sockets;
}

Expected<std::vector<SocketBuffers>> read_socket_buffers(Host& host, int port) {
  NETSETTLE_ASSIGN(const std::string text, run_checked(host, {"ss", "-H", "-u", "-a", "-n", "-m", "sport", "=", fmt::format(":{}", port)}));
  NETSETTLE_ASSIGN(auto sockets, parse_socket_buffers(text));
  std::erase_if(sockets, [&](const SocketBuffers& socket) { return socket.port != port; });
  return sockets;
}

}  // namespace netsettle::runners
