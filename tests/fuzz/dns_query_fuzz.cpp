// Any text as a query file, any bytes as an answer: what is found can be encoded, and what is encoded can be read.

#include "runners/servers/dns_query.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::fuzz::require;
using namespace netsettle::runners;

void fuzz_one(std::span<const std::uint8_t> input) {
  const std::string_view text = netsettle::fuzz::as_text(input);
  require(decode_header(text).has_value() == (text.size() >= 12));
  const auto query = first_query(text);
  if (!query) return;
  const auto encoded = encode_query(0xabcd, query->first, query->second);
  require(encoded.has_value() && encoded->size() >= 17 && encoded->size() <= 271);
  const auto header = decode_header(*encoded);
  require(header && header->id == 0xabcd && !header->response && header->rcode == "NOERROR");
}
