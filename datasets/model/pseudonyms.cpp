#include "datasets/model/pseudonyms.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace netsettle {

namespace {

constexpr std::size_t kShort = 4;
constexpr std::string_view kHomes = "/home";
constexpr std::size_t kLongestIpv6 = 40;
constexpr std::string_view kMapped = "::ffff:";

// Experiment files, tables and metrics are made of these; a machine or user of such a name says little.
constexpr std::array<std::string_view, 34> kVocabulary = {
    "actors", "agent",  "budget", "calibration", "client", "clients",   "default", "dns",     "dnsperf", "echo", "host",      "hosts",
    "inputs", "irq",    "linux",  "load",        "local",  "localhost", "machine", "measure", "memory",  "net",  "netsettle", "network",
    "nobody", "notify", "report", "rig",         "root",   "search",    "server",  "study",   "test",    "trial"};

bool alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

char before(std::string_view text, std::size_t at) { return at == 0 ? ' ' : text[at - 1]; }
char at_or_space(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : ' '; }

/// "aa:bb:cc:dd:ee:ff" with six or more pairs and one kind of separator; the number of characters, 0 where it is none.
std::size_t hardware_address(std::string_view text, char separator) {
  std::size_t pairs = 0, at = 0;
  while (at + 1 < text.size() && hex(text[at]) && hex(text[at + 1])) {
    ++pairs;
    at += 2;
    if (at >= text.size() || text[at] != separator || at + 2 >= text.size() || !hex(text[at + 1]) || !hex(text[at + 2])) break;
    ++at;
  }
  return pairs >= 6 ? at : 0;
}

bool is_kept_hardware(std::string_view address) {
  return std::ranges::all_of(address, [](char c) { return c == '0' || c == ':' || c == '-'; }) ||
         std::ranges::all_of(address, [](char c) { return c == 'f' || c == 'F' || c == ':' || c == '-'; });
}

/// Loopback, unspecified, netmasks, broadcast and multicast.
bool is_kept(std::uint32_t address) {
  const auto in = [&](std::uint32_t prefix, int bits) { return address >> (32 - bits) == prefix >> (32 - bits); };
  return in(0x00000000, 8) || in(0x7f000000, 8) || in(0xe0000000, 3);
}

struct Dotted {
  std::uint32_t address = 0;
  std::size_t length = 0;
};

/// Four numbers at the start of `text`; a fifth (".53", a port) is let through, more are a version or an object identifier.
std::optional<Dotted> dotted(std::string_view text) {
  Dotted found;
  int numbers = 0;
  std::size_t at = 0;
  for (;;) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(end - text.data()) - at;
    if (error != std::errc() || length == 0 || (length > 1 && text[at] == '0')) break;
    ++numbers;
    if (numbers <= 4) {
      if (value > 255) return std::nullopt;
      found.address = found.address << 8 | value;
      found.length = at + length;
    }
    at += length;
    if (at_or_space(text, at) != '.' || !digit(at_or_space(text, at + 1))) break;
    ++at;
  }
  if (numbers < 4 || numbers > 5 || alnum(at_or_space(text, at))) return std::nullopt;
  return found;
}

std::optional<std::string> parse_ipv6(std::string_view text) {
  std::array<char, 16> bytes{};
  if (inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) != 1) return std::nullopt;
  return std::string(bytes.data(), bytes.size());
}

bool is_kept_ipv6(const std::string& bytes) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(bytes[index]); };
  const bool low = std::all_of(bytes.begin(), bytes.begin() + 15, [](char c) { return c == 0; });
  const bool mapped = std::all_of(bytes.begin(), bytes.begin() + 10, [](char c) { return c == 0; }) && byte(10) == 0xff && byte(11) == 0xff;
  return (low && byte(15) <= 1) || mapped || (byte(0) == 0xff && byte(1) <= 0x0f);
}

/// Groups of a run of hexadecimal digits and colons are tried from its start, then without the groups that belong to a word before it.
std::string_view longest_ipv6(std::string_view run) {
  for (std::size_t length = run.size(); length > 2; --length)
    if (const auto part = run.substr(0, length); std::ranges::count(part, ':') >= 2 && parse_ipv6(part)) return part;
  return {};
}

bool is_uuid(std::string_view text) {
  if (text.size() < 36) return false;
  for (std::size_t i = 0; i < 36; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !hex(text[i])) return false;
  }
  return true;
}

bool ends_path(char c) { return std::string_view(" \t\n\r\"'`,;:()[]{}<>|=\\").find(c) != std::string_view::npos || c == '\0'; }

std::string extension(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? "" : std::string(name.substr(dot));
}

}  // namespace

Pseudonyms::Pseudonyms(PersonalWords words) : personal_(std::move(words)) {
  std::ranges::sort(personal_.texts, std::ranges::greater{}, [](const auto& text) { return text.first.size(); });
  add_words(personal_.hosts, "host");
  add_words(personal_.users, "user");
  add_words(personal_.serials, "serial");
  std::ranges::stable_sort(words_, std::ranges::greater{}, [](const Word& word) { return word.word.size(); });
}

void Pseudonyms::add_words(const std::set<std::string>& words, const std::string& kind) {
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (std::ranges::find(kVocabulary, lower(word)) != kVocabulary.end()) {
      left_alone_.push_back(word);
      continue;
    }
    words_.push_back({word, kind, word.size() < kShort});
  }
}

std::map<std::string, std::size_t> Pseudonyms::counts() const {
  std::map<std::string, std::size_t> result;
  for (const auto& [kind, names] : names_) result[kind] = names.size();
  return result;
}

const std::string& Pseudonyms::number(const std::string& kind, const std::string& detail, std::string_view prefix) {
  Names& names = names_[kind];
  const auto [place, is_new] = names.try_emplace(detail);
  if (is_new) place->second = fmt::format("{}{}", prefix, names.size());
  return place->second;
}

std::string Pseudonyms::ipv4(std::uint32_t address) {
  Names& networks = names_["IPv4 network"];
  const auto [place, is_new] = networks.try_emplace(fmt::format("{:08x}", address >> 8));
  const std::size_t network = networks.size() - 1;
  if (is_new) place->second = fmt::format("198.{}.{}.", 18 + (network >> 8 & 1), network & 255);
  return place->second + std::to_string(address & 255);
}

std::string Pseudonyms::ipv6(const std::string& bytes) {
  Names& networks = names_["IPv6 network"];
  const auto [network, new_network] = networks.try_emplace(bytes.substr(0, 8));
  if (new_network) network->second = fmt::format("2001:db8:0:{:x}::", networks.size());
  Names& machines = names_["IPv6 interface"];
  const auto [machine, new_machine] = machines.try_emplace(bytes.substr(8));
  if (new_machine) machine->second = fmt::format("{:x}", machines.size());
  return network->second + machine->second;
}

std::string Pseudonyms::mac(std::string_view text) {
  Names& names = names_["hardware address"];
  const auto [place, is_new] = names.try_emplace(lower(text));
  const std::size_t n = names.size();
  if (is_new) place->second = fmt::format("02:00:00:00:{:02x}:{:02x}", n >> 8 & 255, n & 255);
  return place->second;
}

std::string Pseudonyms::replace_texts(std::string text) const {
  for (const auto& [from, to] : personal_.texts) {
    if (from.empty()) continue;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  }
  return text;
}

std::string Pseudonyms::replace_homes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t home = 0;  // length of the home folder's name here
    if (text[at] == '/' && !alnum(before(text, at))) {
      const std::string_view rest = text.substr(at);
      if (rest.starts_with(kHomes) && at_or_space(rest, kHomes.size()) == '/')
        while (home < rest.size() && !ends_path(rest[home]) && (home <= kHomes.size() || rest[home] != '/')) ++home;
      for (const std::string& known : personal_.homes)
        if (rest.starts_with(known) && known.size() > home && known.size() > 1 &&
            (known.size() == rest.size() || rest[known.size()] == '/' || ends_path(rest[known.size()])))
          home = known.size();
    }
    if (home <= 1 || home == kHomes.size() + 1) {
      out += text[at++];
      continue;
    }
    std::size_t end = at + home;
    while (end < text.size() && !ends_path(text[end])) ++end;
    out += number("home", std::string(text.substr(at, home)), std::string(kHomes) + "/user-");
    const std::string_view below = text.substr(at + home, end - at - home);
    if (below.size() > 1) out += number("path", std::string(text.substr(at, end - at)), "/path-") + extension(below);
    at = end;
  }
  return out;
}

std::string Pseudonyms::replace_uuids(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool starts = hex(text[at]) && !alnum(before(text, at)) && before(text, at) != '-';
    if (starts && is_uuid(text.substr(at)) && !alnum(at_or_space(text, at + 36))) {
      out += number("UUID", lower(text.substr(at, 36)), "00000000-0000-4000-8000-").substr(0, 24);
      out += fmt::format("{:012}", std::stoull(names_["UUID"].at(lower(text.substr(at, 36))).substr(24)));
      at += 36;
      continue;
    }
    out += text[at++];
  }
  return out;
}

std::string Pseudonyms::replace_hardware_and_ipv6(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = (hex(text[at]) || text.substr(at, 2) == "::") && !alnum(before(text, at)) && before(text, at) != '.';
    if (!begins) {
      out += text[at++];
      continue;
    }
    const std::string_view rest = text.substr(at);
    for (const char separator : {':', '-'}) {
      const std::size_t length = hardware_address(rest, separator);
      if (length == 0 || alnum(at_or_space(rest, length))) continue;
      out += is_kept_hardware(rest.substr(0, length)) ? std::string(rest.substr(0, length)) : mac(rest.substr(0, length));
      at += length;
      break;
    }
    if (at >= text.size() || text.substr(at).size() != rest.size()) continue;
    if (lower(rest.substr(0, kMapped.size())) == kMapped && dotted(rest.substr(kMapped.size()))) {  // the address in it is another pass's
      out += rest.substr(0, kMapped.size());
      at += kMapped.size();
      continue;
    }
    std::size_t length = 0;
    while (length < std::min(rest.size(), kLongestIpv6) && (hex(rest[length]) || rest[length] == ':')) ++length;
    const std::string_view address = longest_ipv6(rest.substr(0, length));
    const std::size_t step = address.empty() || alnum(at_or_space(rest, address.size())) ? 1 : address.size();
    const auto bytes = step > 1 ? parse_ipv6(address) : std::nullopt;
    out += bytes && !is_kept_ipv6(*bytes) ? ipv6(*bytes) : std::string(rest.substr(0, step));
    at += step;
  }
  return out;
}

std::string Pseudonyms::replace_ipv4(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = digit(text[at]) && !alnum(before(text, at)) && before(text, at) != '.';
    const auto found = begins ? dotted(text.substr(at)) : std::nullopt;
    if (!found) {
      out += text[at++];
      continue;
    }
    out += is_kept(found->address) ? std::string(text.substr(at, found->length)) : ipv4(found->address);
    at += found->length;
  }
  return out;
}

std::string Pseudonyms::replace_words(std::string text) {
  for (const Word& word : words_) {
    const std::string small = lower(text), wanted = lower(word.word);
    if (small.find(wanted) == std::string::npos) continue;
    const auto joins = [&](char c) { return alnum(c) || c == '_' || c == '-' || (word.strict && (c == '.' || c == '/')); };
    std::string out;
    std::size_t done = 0;
    for (auto at = small.find(wanted); at != std::string::npos; at = small.find(wanted, at + wanted.size())) {
      const std::size_t end = at + wanted.size();
      // A serial number is one wherever it stands.
      if (word.kind != "serial" && (joins(before(text, at)) || joins(at_or_space(text, end)))) continue;
      out += text.substr(done, at - done) + number(word.kind, wanted, word.kind + "-");
      done = end;
    }
    text = out + text.substr(done);
  }
  return text;
}

std::string Pseudonyms::apply(std::string_view text) {
  std::string result = replace_texts(std::string(text));
  result = replace_homes(result);
  result = replace_uuids(result);
  result = replace_hardware_and_ipv6(result);
  result = replace_ipv4(result);
  return replace_words(std::move(result));
}

std::string Pseudonyms::apply_to_sockets(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 0;
    if (hex(text[at]) && !alnum(before(text, at)))
      while (at + length < text.size() && hex(text[at + length])) ++length;
    const bool address = (length == 8 || length == 32) && at_or_space(text, at + length) == ':';
    if (!address) {
      out += text.substr(at, std::max<std::size_t>(length, 1));
      at += std::max<std::size_t>(length, 1);
      continue;
    }
    // Words of 32 bits, each in the byte order of the machine that printed it: little endian on all that run netsettle.
    std::string bytes;
    for (std::size_t word = at; word < at + length; word += 8)
      for (int pair = 3; pair >= 0; --pair)
        bytes += static_cast<char>(std::stoi(std::string(text.substr(word + 2 * static_cast<std::size_t>(pair), 2)), nullptr, 16));
    std::array<char, INET6_ADDRSTRLEN> name{};
    const int family = length == 8 ? AF_INET : AF_INET6;
    inet_ntop(family, bytes.data(), name.data(), name.size());
    const std::string other = apply(name.data());
    std::array<unsigned char, 16> packed{};
    inet_pton(family, other.c_str(), packed.data());
    for (std::size_t word = 0; word < length / 2; word += 4)
      for (std::size_t byte = 4; byte > 0; --byte) out += fmt::format("{:02X}", packed[word + byte - 1]);
    at += length;
  }
  return apply(out);
}

}  // namespace netsettle
