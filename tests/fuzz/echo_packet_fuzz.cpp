// Any datagram: an answer has the size, the id and the sections of its query; what is not a query stays as it came.

#include <algorithm>
#include <vector>

#include "runners/echo/packet.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::fuzz::require;
using netsettle::runners::PacketKind;

void fuzz_one(std::span<const std::uint8_t> input) {
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
