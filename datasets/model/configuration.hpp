#pragma once
// One point of the search space: a value for every *active* parameter.

#include <map>
#include <string>

#include "datasets/model/value.hpp"

namespace netsettle {

struct Configuration {
  std::map<std::string, Value> values;  // parameter name → value

  bool operator==(const Configuration&) const = default;
};

/// "backlog=1000\nrmem=as-found\n": sorted by name; equal texts mean equal configurations.
std::string canonical_text(const Configuration& configuration);

/// SHA-256 of canonical_text as 64 hex digits.
std::string hash(const Configuration& configuration);

/// SHA-256 of any bytes as 64 hex digits.
std::string sha256_hex(std::string_view bytes);

/// "processes=2, rmem=as-found" for people, parameters in the order of the map.
std::string describe(const Configuration& configuration);

}  // namespace netsettle
