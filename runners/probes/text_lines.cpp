#include "runners/probes/text_lines.hpp"

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kLine = "line ";

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::unexpected<Error> malformed(std::string_view file, std::string text) {
  return fail(ErrorCode::invalid_input, std::string(file), std::move(text));
}

std::unexpected<Error> malformed_line(std::string_view file, std::size_t line, std::string_view text) {
  return malformed(file, fmt::format("{}{}: {}", kLine, line, text));
}

std::optional<std::size_t> line_of(const Error& error) {
  const std::string_view text = error.text;
  if (!text.starts_with(kLine)) return std::nullopt;
  const std::string_view rest = text.substr(kLine.size());
  return whole_number<std::size_t>(rest.substr(0, rest.find(':')));
}

}  // namespace netsettle::runners
