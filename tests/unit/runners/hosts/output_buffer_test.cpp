#include "runners/hosts/output_buffer.hpp"

#include <catch2/catch.hpp>

using netsettle::runners::OutputBuffer;

TEST_CASE("output within the limit is kept as it is") {
  OutputBuffer buffer(10);
  buffer.append("01234");
  buffer.append("56789");
  CHECK(buffer.text() == "0123456789");
}

TEST_CASE("output beyond the limit loses its middle and says how much") {
  for (const std::size_t piece : {1, 3, 7, 100}) {
    CAPTURE(piece);
    OutputBuffer buffer(8);
    const std::string all = "abcdefghijklmnopqrstuvwxyz";
    for (std::size_t i = 0; i < all.size(); i += piece) buffer.append(std::string_view(all).substr(i, piece));
    CHECK(buffer.text() == "abcd\n[... 18 bytes not kept ...]\nwxyz");
  }
}

TEST_CASE("a limit of nothing keeps nothing") {
  OutputBuffer buffer(0);
  buffer.append("abc");
  CHECK(buffer.text() == "\n[... 3 bytes not kept ...]\n");
}
