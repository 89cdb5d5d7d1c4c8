#include "runners/servers/dns_query.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

constexpr std::size_t kHeaderSize = 12, kLongestLabel = 63, kLongestName = 255;

struct RecordType {
  std::string_view name;
  std::uint16_t number;
};
// IANA "Resource Record (RR) TYPEs"; what is not here can be written as TYPEnnn.
constexpr std::array kTypes = {
    RecordType{"A", 1},      RecordType{"NS", 2},    RecordType{"CNAME", 5},  RecordType{"SOA", 6},   RecordType{"PTR", 12},
    RecordType{"HINFO", 13}, RecordType{"MX", 15},   RecordType{"TXT", 16},   RecordType{"AAAA", 28}, RecordType{"SRV", 33},
    RecordType{"NAPTR", 35}, RecordType{"DS", 43},   RecordType{"RRSIG", 46}, RecordType{"NSEC", 47}, RecordType{"DNSKEY", 48},
    RecordType{"TLSA", 52},  RecordType{"SVCB", 64}, RecordType{"HTTPS", 65}, RecordType{"ANY", 255}, RecordType{"CAA", 257},
};

// RFC 1035 4.1.1, RFC 2136 2.2; the others as dnsperf names them.
constexpr std::array<std::string_view, 16> kResponseCodes = {"NOERROR",  "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP",  "REFUSED",
                                                             "YXDOMAIN", "YXRRSET", "NXRRSET",  "NOTAUTH",  "NOTZONE", "rcode11",
                                                             "rcode12",  "rcode13", "rcode14",  "rcode15"};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::uint16_t> parse_type(std::string_view type) {
  std::string name(type);
  std::ranges::transform(name, name.begin(), upper);
  const auto known = std::ranges::find(kTypes, name, &RecordType::name);
  if (known != kTypes.end()) return known->number;
  constexpr std::string_view kGeneric = "TYPE";  // RFC 3597
  std::uint16_t number = 0;
  const char* const begin = name.data() + std::min(kGeneric.size(), name.size());
  const auto [end, status] = std::from_chars(begin, name.data() + name.size(), number);
  if (!name.starts_with(kGeneric) || status != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

void append_16(std::string& bytes, std::uint16_t number) {
  bytes += static_cast<char>(number >> 8);
  bytes += static_cast<char>(number & 0xff);
}

/// One character of a name in presentation format, escapes (\. and \046) resolved; `name` loses it. Absent for a broken escape.
std::optional<char> take_character(std::string_view& name) {
  const char first = name.front();
  name.remove_prefix(1);
  if (first != '\\') return first;
  if (name.empty()) return std::nullopt;
  if (!is_digit(name.front())) {
    const char escaped = name.front();
    name.remove_prefix(1);
    return escaped;
  }
  if (name.size() < 3) return std::nullopt;
  int value = 0;
  const auto [end, status] = std::from_chars(name.data(), name.data() + 3, value);
  if (status != std::errc() || end != name.data() + 3 || value > 255) return std::nullopt;
  name.remove_prefix(3);
  return static_cast<char>(value);
}

/// RFC 1035 3.1: labels with their lengths and the empty one at the end. Absent for empty or overlong labels, or a broken escape.
std::optional<std::string> encode_name(std::string_view name) {
  if (name.empty()) return std::nullopt;
  std::string bytes;
  if (name == ".") name = {};
  while (!name.empty()) {
    std::string label;
    while (!name.empty() && name.front() != '.') {
      const auto character = take_character(name);
      if (!character) return std::nullopt;
      label += *character;
    }
    if (label.empty() || label.size() > kLongestLabel) return std::nullopt;
    bytes += static_cast<char>(label.size());
    bytes += label;
    if (!name.empty()) name.remove_prefix(1);
  }
  bytes += '\0';
  if (bytes.size() > kLongestName) return std::nullopt;
  return bytes;
}

std::string_view take_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace

Expected<std::string> encode_query(std::uint16_t id, std::string_view name, std::string_view type) {
  constexpr std::uint16_t kRecursionDesired = 0x0100, kInternet = 1;
  const auto encoded_name = encode_name(name);
  if (!encoded_name) return fail(ErrorCode::invalid_input, std::string(name), "is no domain name");
  const auto number = parse_type(type);
  if (!number) return fail(ErrorCode::invalid_input, std::string(type), "is no record type (like AAAA or TYPE65)");
  std::string bytes;
  append_16(bytes, id);
  append_16(bytes, kRecursionDesired);
  for (const std::uint16_t count : {1, 0, 0, 0}) append_16(bytes, count);
  bytes += *encoded_name;
  append_16(bytes, *number);
  append_16(bytes, kInternet);
  return bytes;
}

Expected<AnswerHeader> decode_header(std::string_view bytes) {
  if (bytes.size() < kHeaderSize)
    return fail(ErrorCode::invalid_input, "answer", fmt::format("has {} bytes, a DNS header has {}", bytes.size(), kHeaderSize));
  const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[at])); };
  return AnswerHeader{.id = static_cast<std::uint16_t>(byte(0) << 8 | byte(1)),
                      .response = (byte(2) & 0x80) != 0,
                      .truncated = (byte(2) & 0x02) != 0,
                      .rcode = std::string(kResponseCodes[byte(3) & 0x0f])};
}

Expected<std::pair<std::string, std::string>> first_query(std::string_view query_file_text) {
  for (std::string_view rest = query_file_text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.front() == ';' || line.front() == ' ' || line.front() == '\t') continue;  // as dnsperf
    const std::string_view name = take_word(line), type = take_word(line);
    if (encode_query(0, name, type)) return std::pair(std::string(name), std::string(type));
  }
  return fail(ErrorCode::invalid_input, "query file", "is empty: it has no line with a name and a record type");
}

}  // namespace netsettle::runners
