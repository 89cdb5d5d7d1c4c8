#pragma once
// What the echo server does with the bytes of one datagram: the same query back with the response bit set. Pure; RFC 1035 section 4.1.1.

#include <cstddef>
#include <cstdint>
#include <span>

namespace netsettle::runners {

enum class PacketKind {
  query,      // was turned into its answer
  malformed,  // shorter than a DNS header
  not_query,  // has the response bit: answering it could make two servers talk to each other for ever
};

inline constexpr std::size_t kDnsHeaderSize = 12;

/// Turns a query into its answer, in place: QR set; AA, TC, RA, Z and RCODE cleared; everything else (id, opcode, RD, AD, CD, all
/// sections) as it came. Packets that are not to be answered stay unchanged.
inline PacketKind turn_into_answer(std::span<std::uint8_t> packet) {
  constexpr std::uint8_t kResponse = 0x80, kAuthoritativeAndTruncated = 0x06;  // third byte:  QR Opcode(4) AA TC RD
  constexpr std::uint8_t kAuthenticAndChecking = 0x30;                         // fourth byte: RA Z AD CD Rcode(4)
  if (packet.size() < kDnsHeaderSize) return PacketKind::malformed;
  if (packet[2] & kResponse) return PacketKind::not_query;
  packet[2] = static_cast<std::uint8_t>((packet[2] | kResponse) & ~kAuthoritativeAndTruncated);
  packet[3] = static_cast<std::uint8_t>(packet[3] & kAuthenticAndChecking);
  return PacketKind::query;
}

}  // namespace netsettle::runners
