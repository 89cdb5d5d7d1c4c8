#pragma once
// The last line of an output may have been cut anywhere: whether its form shows that nothing is missing.

#include <algorithm>
#include <string_view>

namespace netsettle::runners {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for "… (0.10%)" and for six decimals. A list of response codes could go on, and so could a command line.
inline bool is_whole(std::string_view text) {
  if (text.starts_with("  Response codes:") || text.starts_with("[Status] Command line:")) return false;
  if (text.ends_with(')')) return true;
  constexpr std::size_t kDecimals = 6;
  return text.size() > kDecimals && text[text.size() - kDecimals - 1] == '.' && std::all_of(text.end() - kDecimals, text.end(), is_digit);
}

}  // namespace netsettle::runners
