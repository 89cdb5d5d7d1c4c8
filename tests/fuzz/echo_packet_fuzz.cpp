// Any datagram: an answer has the size, the id and the sections of its query; what is not a query stays as it came. From any port it is
// counted once as received, and once as malformed or as no query where it is not answered.

#include <algorithm>
#include <vector>

#include "runners/echo/exchange.hpp"
#include "runners/echo/packet.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::fuzz::require;
using netsettle::runners::PacketKind;

namespace {

void count_from_port(std::span<const std::uint8_t> input, std::uint16_t port) {
  netsettle::runners::WorkerCounters counters;
  sockaddr_in client{};
  client.sin_port = port;
  std::vector<std::uint8_t> bytes(input.begin(), input.end());
  const bool answer = netsettle::runners::becomes_answer(bytes, reinterpret_cast<const sockaddr&>(client), counters);
  require(counters.received == 1 && counters.answered == 0 && counters.errors == 0);
  require(counters.malformed + counters.not_queries == (answer ? 0 : 1));
  require((counters.malformed == 1) == (input.size() < netsettle::runners::kDnsHeaderSize));
  if (port == 0) require(!answer && std::ranges::equal(bytes, input));
}

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  count_from_port(input, 0);
  count_from_port(input, 53);
  std::vector<std::uint8_t> bytes(input.begin(), input.end());
  const PacketKind kind = netsettle::runners::turn_into_answer(bytes);
  if (kind != PacketKind::query) {
    require(std::ranges::equal(bytes, input));
    require((kind == PacketKind::malformed) == (input.size() < netsettle::runners::kDnsHeaderSize));
    return;
  }
  const std::uint8_t flags = bytes[2], more_flags = bytes[3];
  require((flags & 0x86) == 0x80 && (more_flags & 0xcf) == 0);
  require((flags & 0x79) == (input[2] & 0x79) && (more_flags & 0x30) == (input[3] & 0x30));
  bytes[2] = input[2];
  bytes[3] = input[3];
  require(std::ranges::equal(bytes, input));
  require(netsettle::runners::turn_into_answer(bytes) == PacketKind::query);
}
