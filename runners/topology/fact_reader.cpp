#include "runners/topology/fact_reader.hpp"

#include <algorithm>

#include "datasets/model/configuration.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
}

}  // namespace

std::string first_line(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return trimmed(text.substr(begin, text.find_first_of("\r\n", begin) - begin));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return lines;
}

std::optional<std::string> field_of(std::string_view text, std::string_view name, char separator) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    const auto split = line.find(separator);
    if (split != std::string_view::npos && trimmed(line.substr(0, split)) == name) return trimmed(line.substr(split + 1));
    at = end + 1;
  }
  return std::nullopt;
}

void FactReader::note(const std::string& name, std::string text) {
  // Firmware writes what it likes; the record is JSON.
  std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
  if (!text.empty()) facts_[name] = std::move(text);
}

std::optional<std::string> FactReader::text(const std::string& path) {
  auto text = host_.read_file(path);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::optional<std::string> FactReader::line(const std::string& path) {
  const auto whole = text(path);
  return whole ? std::optional(first_line(*whole)) : std::nullopt;
}

void FactReader::note_line(const std::string& name, const std::string& path) { note(name, line(path).value_or("")); }

void FactReader::note_choice(const std::string& name, const std::string& path) {
  std::string chosen = line(path).value_or("");
  const auto open = chosen.find('['), close = chosen.find(']', std::min(open, chosen.size()));
  note(name, open == std::string::npos || close == std::string::npos ? chosen : chosen.substr(open + 1, close - open - 1));
}

void FactReader::note_hash(const std::string& name, std::string_view text) { note(name, sha256_hex(text)); }

std::optional<std::string> FactReader::output(const std::vector<std::string>& argv) {
  auto text = run_checked(host_, argv, std::chrono::seconds(2));
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::vector<std::string> FactReader::names_in(const std::string& folder) {
  return host_.list_directory(folder).value_or(std::vector<std::string>());
}

}  // namespace netsettle::runners
