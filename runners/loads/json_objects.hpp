#pragma once
// JSON objects in a text of objects: one a line, spread over lines, or in an array that may have been cut.

#include <cstddef>
#include <string_view>

namespace netsettle::runners {

/// Calls take(text) for each outermost {…} whose brackets close. Brackets in texts do not count. Deeper than 32 levels is no output of a
/// load generator, and passed over.
template <typename Take>
void for_each_object(std::string_view text, Take&& take) {
  constexpr std::size_t kDeepest = 32;
  std::size_t depth = 0, deepest = 0, begin = 0;
  bool in_string = false, escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (!escaped && c == '"') in_string = false;
      escaped = !escaped && c == '\\';
    } else if (c == '"' && depth > 0) {
      in_string = true;
      escaped = false;
    } else if (c == '{' || (c == '[' && depth > 0)) {
      if (depth == 0) {
        begin = i;
        deepest = 0;
      }
      ++depth;
      deepest = deepest < depth ? depth : deepest;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
      if (depth == 0 && deepest <= kDeepest) take(text.substr(begin, i - begin + 1));
    }
  }
}

}  // namespace netsettle::runners
