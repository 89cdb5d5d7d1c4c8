#pragma once
// One UDP datagram out, one answer back. In two steps, because a socket belongs to the network namespace of the thread that makes it
// while waiting on it may happen anywhere.

#include <string>
#include <string_view>

#include "datasets/model/error.hpp"
#include "runners/hosts/clock.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

/// A UDP socket connected to a numeric IPv4 or IPv6 address. invalid_input for another text or port.
Expected<Descriptor> connect_datagram_socket(const std::string& address, int port);
/// Sends and waits for one datagram. timed_out; io where the peer's machine answers with ICMP "port unreachable".
Expected<std::string> exchange_on(const Descriptor& socket, std::string_view bytes, Microseconds timeout);

}  // namespace netsettle::runners
