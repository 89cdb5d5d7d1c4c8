#pragma once
// CPUs said by where they are: "node:1", "package:0", "cores:4@node:0", or a plain list. Which CPUs those are is a machine's question
// (runners/topology/placement.hpp). Pure.

#include <optional>
#include <string>
#include <string_view>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"

namespace netsettle {

/// A list, or the CPUs of a node or package, or as many whole cores of it (or of the machine).
struct CpuPlace {
  CpuSet list;  // not empty: it is a list, and the others are absent
  std::optional<int> cores, node, package;
};

/// "0-3,8", "node:N", "package:N", "cores:N", "cores:N@node:N", "cores:N@package:N". Failure: invalid_input.
Expected<CpuPlace> parse_cpu_place(std::string_view text);

/// As parse_cpu_place() takes it; a list in its shortest form.
std::string to_text(const CpuPlace& place);

/// The number in "node:N"; nullopt for any other text.
std::optional<int> node_in_word(std::string_view text);

}  // namespace netsettle
