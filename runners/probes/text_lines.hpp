#pragma once
// Words and numbers of the kernel's text files, and the error that names a line. For the parsers of this folder.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"
#include "datasets/model/trimmed.hpp"

namespace netsettle::runners {

/// Lines without their ends; nothing follows the last newline. Blank lines are kept, so that line numbers are right.
std::vector<std::string_view> split_lines(std::string_view text);
/// Words between spaces and tabs.
std::vector<std::string_view> split_words(std::string_view line);

/// The whole word as a number without sign; nullopt for anything else, and where it does not fit.
template <typename Number>
std::optional<Number> whole_number(std::string_view word, int base = 10) {
  Number number = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// invalid_input of the file.
std::unexpected<Error> malformed(std::string_view file, std::string text);
/// The same with "line N: " in front; `line` counts from 1.
std::unexpected<Error> malformed_line(std::string_view file, std::size_t line, std::string_view text);
/// The N of an error made by malformed_line().
std::optional<std::size_t> line_of(const Error& error);

}  // namespace netsettle::runners
