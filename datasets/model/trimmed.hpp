#pragma once
// A text without the white space around it.

#include <string_view>

namespace netsettle {

/// Blanks, tabs and line ends are cut off at both ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

}  // namespace netsettle
