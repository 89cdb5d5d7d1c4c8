#pragma once
// The UDP sockets of one network namespace: /proc/net/udp and udp6, and the buffers that `ss` shows.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/host.hpp"

namespace netsettle::runners {

struct UdpSocket {
  std::uint64_t inode = 0;
  std::string local, remote;  // "127.0.0.1:53", "[::1]:53"
  int local_port = 0;
  std::uint64_t rx_queue = 0, tx_queue = 0;  // bytes of memory that wait now, bookkeeping included
  std::uint64_t drops = 0;                   // since the socket exists: buffer full, bad checksum, filter; 32 bits
};

/// Addresses are numbers in the byte order of a little-endian machine. Before Linux 2.6.27 there is no column of drops: refused.
/// invalid_input, the text begins with "line N: ".
Expected<std::vector<UdpSocket>> parse_udp_sockets(std::string_view text);

/// What a socket was granted, whatever was asked for.
struct SocketBuffers {
  std::string local;  // as printed: "127.0.0.1:53", "*:53", "127.0.0.53%lo:53"
  int port = 0;
  std::int64_t receive = 0, send = 0;  // bytes: limits of receive and send buffer (rb and tb of skmem)
  std::int64_t drops = 0;
};

/// The output of `ss -H -u -a -n -m`, with or without -O. A socket without skmem is left out. invalid_input, "line N: ".
Expected<std::vector<SocketBuffers>> parse_socket_buffers(std::string_view text);
/// Those of all sockets on a local port, asked of `ss` in the host's namespace. not_found where there is no `ss`.
Expected<std::vector<SocketBuffers>> read_socket_buffers(Host& host, int port);

}  // namespace netsettle::runners
