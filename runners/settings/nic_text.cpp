#include "runners/settings/nic_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

using Table = std::vector<std::int64_t>;

/// Lines of "   16:      0     1     2", up to the first other one.
Table table_in(std::string_view text) {
  Table table;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !decimal(trimmed(line.substr(0, colon)))) break;
    const auto row = decimals(line.substr(colon + 1));
    if (!row) break;
    table.insert(table.end(), row->begin(), row->end());
  }
  return table;
}

std::optional<std::string> equal_words(const Table& table) {
  const auto [low, high] = std::ranges::minmax(table);
  const std::int64_t count = high - low + 1;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] != low + static_cast<std::int64_t>(i) % count) return std::nullopt;
  return low == 0 ? fmt::format("equal {}", count) : fmt::format("start {} equal {}", low, count);
}

std::string weight_words(const Table& table) {
  std::vector<std::int64_t> weights(static_cast<std::size_t>(table.back()) + 1);
  for (const std::int64_t queue : table) ++weights[static_cast<std::size_t>(queue)];
  return fmt::format("weight {}", fmt::join(weights, " "));
}

struct HashField {
  std::string_view line;
  char letter;
};
constexpr HashField kHashFields[] = {{"L2DA", 'm'},
                                     {"VLAN tag", 'v'},
                                     {"L3 proto", 't'},
                                     {"IP SA", 's'},
                                     {"IP DA", 'd'},
                                     {"L4 bytes 0 & 1 [TCP/UDP src port]", 'f'},
                                     {"L4 bytes 2 & 3 [TCP/UDP dst port]", 'n'}};

bool has_line(std::string_view text, std::string_view wanted) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (trimmed(text.substr(begin, end - begin)) == wanted) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::optional<std::string> value_behind(std::string_view text, std::string_view label) {
  for (auto at = text.find(label); at != std::string_view::npos; at = text.find(label, at + 1)) {
    const auto line = text.rfind('\n', at) + 1;
    const auto end = at + label.size();
    if (!trimmed(text.substr(line, at - line)).empty() || end >= text.size() || text[end] != ':') continue;
    const auto rest = trimmed(text.substr(end + 1, std::min(text.find('\n', end), text.size()) - end - 1));
    return std::string(rest);
  }
  return std::nullopt;
}

constexpr std::string_view kMaxima = "Pre-set maximums:", kPresent = "Current hardware settings:";

std::string_view maxima_in(std::string_view text) {
  const auto begin = text.find(kMaxima), end = text.find(kPresent);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  return text.substr(begin, end - begin);
}

std::string_view present_in(std::string_view text) {
  const auto begin = text.find(kPresent);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::optional<std::string> indirection_words(std::string_view text) {
  const auto title = text.find("indirection table");
  if (title == std::string_view::npos) return std::nullopt;
  const Table table = table_in(text.substr(std::min(text.find('\n', title), text.size() - 1) + 1));
  if (table.empty()) return std::nullopt;
  if (const auto equal = equal_words(table)) return equal;
  if (std::ranges::is_sorted(table)) return weight_words(table);
  return fmt::format("table {}", fmt::join(table, " "));
}

std::optional<std::int64_t> ring_count(std::string_view text) {
  constexpr std::string_view kBefore = " with ", kBehind = " RX ring";
  const auto end = text.find(kBehind);
  const auto begin = text.substr(0, std::min(end, text.size())).rfind(kBefore);
  if (end == std::string_view::npos || begin == std::string_view::npos) return std::nullopt;
  return decimal(text.substr(begin + kBefore.size(), end - begin - kBefore.size()));
}

std::optional<std::string> hash_letters(std::string_view text) {
  std::string letters;
  for (const auto& [line, letter] : kHashFields)
    if (has_line(text, line)) letters += letter;
  return letters.empty() ? std::nullopt : std::optional(letters);
}

}  // namespace netsettle::runners
