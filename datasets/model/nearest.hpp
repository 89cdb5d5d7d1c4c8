#pragma once
// "Did you mean …?": the known name that is nearest to a misspelled one.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netsettle {

/// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other: optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the fewest edits (the first of equals), if it is near enough to be a slip: at most a third of the length
/// of `word`, and at least one edit is allowed. A single letter has none.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or nothing: the tail of a sentence about an unknown name.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace netsettle
