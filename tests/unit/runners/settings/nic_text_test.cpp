// ethtool's own texts.

#include "runners/settings/nic_text.hpp"

#include <catch2/catch.hpp>

using namespace netsettle::runners;

namespace {

// As of a card with combined channels (ixgbe).
constexpr const char* kChannels =
    "Channel parameters for eth0:\nPre-set maximums:\nRX:\t\tn/a\nTX:\t\tn/a\nOther:\t\t1\nCombined:\t63\n"
    "Current hardware settings:\nRX:\t\tn/a\nTX:\t\tn/a\nOther:\t\t1\nCombined:\t8\n";

std::string table(const std::string& rows, int rings = 4) {
  return "RX flow hash indirection table for eth0 with " + std::to_string(rings) + " RX ring(s):\n" + rows +
         "RSS hash key:\n6d:5a:56:da:25:5b\nRSS hash function:\n    toeplitz: on\n    xor: off\n    crc32: off\n";
}

}  // namespace

TEST_CASE("maxima and what is in force are told apart") {
  CHECK(value_behind(maxima_in(kChannels), "Combined") == "63");
  CHECK(value_behind(present_in(kChannels), "Combined") == "8");
  CHECK(value_behind(present_in(kChannels), "RX") == "n/a");
  CHECK(maxima_in("netlink error: Operation not supported\n").empty());
  CHECK(present_in("").empty());
}

TEST_CASE("an indirection table becomes the words that make it again") {
  struct Row {
    const char *rows, *words;
  };
  const Row rows[] = {
      {"    0:      0     1     2     3     0     1     2     3\n    8:      0     1     2     3     0     1     2     3\n", "equal 4"},
      {"    0:      0     0     0     0     0     0     0     0\n", "equal 1"},
      {"    0:      2     3     2     3     2     3     2     3\n", "start 2 equal 2"},
      {"    0:      0     0     0     0     0     0     1     1\n", "weight 6 2"},
      {"    0:      1     1     1     1     3     3     3     3\n", "weight 0 4 0 4"},
      {"    0:      3     0     0     1     2     3     1     0\n", "table 3 0 0 1 2 3 1 0"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.rows);
    CHECK(indirection_words(table(row.rows)) == row.words);
  }
}

TEST_CASE("a card without a table has none, as virtio says it") {
  CHECK(!indirection_words("RX flow hash indirection table for eth0 with 1 RX ring(s):\nOperation not supported\nRSS hash key:\n"));
  CHECK(!indirection_words("Cannot get RX ring count: Operation not supported\n"));
  CHECK(!indirection_words("RX flow hash indirection table for eth0 with 1 RX ring(s):"));
  CHECK(ring_count(table("", 12)) == 12);
  CHECK(!ring_count("RX flow hash indirection table for eth0 with many RX ring(s):\n"));
  CHECK(!ring_count(""));
}

TEST_CASE("hash fields are the letters that ethtool takes") {
  constexpr const char* kAddresses = "UDP over IPV4 flows use these fields for computing Hash flow key:\nIP SA\nIP DA\n";
  CHECK(hash_letters(kAddresses) == "sd");
  CHECK(hash_letters(std::string(kAddresses) + "L4 bytes 0 & 1 [TCP/UDP src port]\nL4 bytes 2 & 3 [TCP/UDP dst port]\n\n") == "sdfn");
  CHECK(hash_letters("UDP over IPV6 flows use these fields for computing Hash flow key:\nL2DA\nVLAN tag\nL3 proto\nIP SA\n") == "mvts");
  CHECK(!hash_letters("Cannot get RX network flow hashing options: Operation not supported\n"));
}
