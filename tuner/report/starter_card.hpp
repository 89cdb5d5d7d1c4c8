#pragma once
// The part of a file to begin with that is about a network card and its machine: the rig of two machines, and a parameter for each setting
// that exists there. Pure text.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace netsettle::tuner {

/// A setting as the machine has it.
struct FoundSetting {
  std::string name;      // "nic.ring.rx"
  std::string as_found;  // "" where it cannot be changed
  std::optional<std::int64_t> smallest, largest;
  std::vector<std::string> words;
  std::string why_not;  // it cannot be changed, or cannot matter
};

struct StarterCard {
  std::string interface;
  std::string address;  // of it; "" where it has none
  std::vector<FoundSetting> settings;
};

/// [rig] with its server and a client to be filled in.
std::string card_rig(const StarterCard& card);
/// One parameter for each setting that can be tried, a comment with the reason for each other one.
std::string card_parameters(const StarterCard& card);

}  // namespace netsettle::tuner
