#pragma once
// Personal details of a text under other names: the same detail gets the same name everywhere. Addresses, hardware addresses and UUIDs are
// found by their form; host names, users, home folders and serial numbers are words that the caller knows. Pure: text in, text out.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace netsettle {

struct PersonalWords {
  std::set<std::string> hosts, users, serials;
  std::set<std::string> homes;                             // of users; every folder of /home is one anyway
  std::vector<std::pair<std::string, std::string>> texts;  // exact texts with what is to stand there, tried first
};

/// Kept: loopback, unspecified, broadcast, netmask-like and multicast addresses; nothing of them says where a machine is. IPv4 keeps its
/// last octet below a prefix of its own in 198.18.0.0/15, IPv6 is numbered below 2001:db8::/32 with its /64 as one, so that what was one
/// network still is.
class Pseudonyms {
 public:
  explicit Pseudonyms(PersonalWords words);

  std::string apply(std::string_view text);
  /// For the kernel's tables of sockets (/proc/net/udp, udp6), whose addresses are hexadecimal.
  std::string apply_to_sockets(std::string_view text);

  /// Words that are left alone because the experiment file and the tables are made of them ("server").
  const std::vector<std::string>& left_alone() const { return left_alone_; }
  /// Kind ("IPv4 networks", "hosts", …) → how many different ones have been replaced.
  std::map<std::string, std::size_t> counts() const;

 private:
  using Names = std::map<std::string, std::string>;  // detail → its other name

  struct Word {
    std::string word, kind;
    bool strict = false;  // short: only where it stands alone, not as a part of a dotted or slashed name
  };

  void add_words(const std::set<std::string>& words, const std::string& kind);
  const std::string& number(const std::string& kind, const std::string& detail, std::string_view prefix);
  std::string ipv4(std::uint32_t address);
  std::string ipv6(const std::string& bytes);
  std::string mac(std::string_view text);

  std::string replace_texts(std::string text) const;
  std::string replace_homes(std::string_view text);
  std::string replace_uuids(std::string_view text);
  std::string replace_hardware_and_ipv6(std::string_view text);
  std::string replace_ipv4(std::string_view text);
  std::string replace_words(std::string text);

  PersonalWords personal_;
  std::vector<Word> words_;  // longest first
  std::vector<std::string> left_alone_;
  std::map<std::string, Names> names_;  // by kind
};

}  // namespace netsettle
