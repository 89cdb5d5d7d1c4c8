#include "runners/echo/packet.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes packet(std::uint8_t third, std::uint8_t fourth) { return {0x12, 0x34, third, fourth, 0, 1, 0, 0, 0, 0, 0, 1, 3, 'w', 'w', 'w', 0}; }

TEST_CASE("an answer is the query with QR set and AA, TC, RA, Z and RCODE cleared") {
  struct Row {
    std::uint8_t third, fourth, expected_third, expected_fourth;
  };
  // opcode, RD, AD and CD stay
  for (const Row& row :
       {Row{0x00, 0x00, 0x80, 0x00}, Row{0x01, 0x20, 0x81, 0x20}, Row{0x7f, 0xff, 0xf9, 0x30}, Row{0x28, 0x1f, 0xa8, 0x10}}) {
    Bytes bytes = packet(row.third, row.fourth);
    CHECK(turn_into_answer(bytes) == PacketKind::query);
    CHECK(bytes == packet(row.expected_third, row.expected_fourth));
  }
}

TEST_CASE("a packet with the response bit is not answered and not changed") {
  for (const std::uint8_t third : {0x80, 0x81, 0xff}) {
    Bytes bytes = packet(third, 0xff);
    CHECK(turn_into_answer(bytes) == PacketKind::not_query);
    CHECK(bytes == packet(third, 0xff));
  }
}

TEST_CASE("a packet shorter than a header is malformed, one of just a header is a query") {
  Bytes bytes = packet(0, 0);
  for (std::size_t size = 0; size < kDnsHeaderSize; ++size) CHECK(turn_into_answer(std::span(bytes).first(size)) == PacketKind::malformed);
  CHECK(bytes == packet(0, 0));
  CHECK(turn_into_answer(std::span(bytes).first(kDnsHeaderSize)) == PacketKind::query);
}

}  // namespace
}  // namespace netsettle::runners
