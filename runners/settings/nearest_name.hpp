#pragma once
// "Did you mean …": the nearest of some names to a misspelled one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netsettle::runners {

/// The name with the smallest edit distance (Levenshtein), where that is at most a third of the length (at least 2); the first of several.
std::optional<std::string> nearest_name(std::string_view misspelled, const std::vector<std::string>& names);

}  // namespace netsettle::runners
