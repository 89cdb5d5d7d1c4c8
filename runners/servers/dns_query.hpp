#pragma once
// One DNS query by hand, for readiness and for the preflight: is an answer what the experiment accepts?

#include <cstdint>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

/// Wire format of a query with RD set. `type` is "A", "AAAA", "MX", "TXT", "NS", "SOA", "PTR", "SRV" or "TYPEnnn". invalid_input.
Expected<std::string> encode_query(std::uint16_t id, std::string_view name, std::string_view type);

struct AnswerHeader {
  std::uint16_t id = 0;
  bool response = false;   // QR
  bool truncated = false;  // TC
  std::string rcode;       // "NOERROR", "REFUSED", …
};
/// invalid_input for a text shorter than a DNS header.
Expected<AnswerHeader> decode_header(std::string_view bytes);

/// The first usable "name type" line of a query file. invalid_input where it has none ("is empty").
Expected<std::pair<std::string, std::string>> first_query(std::string_view query_file_text);

}  // namespace netsettle::runners
