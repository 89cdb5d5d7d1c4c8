#include "datasets/model/cpu_place.hpp"

#include <charconv>

#include <fmt/format.h>

namespace netsettle {
namespace {

constexpr std::string_view kNode = "node:", kPackage = "package:", kCores = "cores:";

/// A whole number from `smallest` on behind the word, to the end of the text.
std::optional<int> number_behind(std::string_view text, std::string_view word, int smallest) {
  constexpr int kMost = 65535;
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  int number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size() || number < smallest || number > kMost) return std::nullopt;
  return number;
}

bool read_part(std::string_view text, CpuPlace& place) {
  place.node = number_behind(text, kNode, 0);
  place.package = number_behind(text, kPackage, 0);
  return place.node || place.package;
}

bool read_cores(std::string_view text, CpuPlace& place) {
  const auto at = text.find('@');
  place.cores = number_behind(text.substr(0, at), kCores, 1);
  return place.cores && (at == std::string_view::npos || read_part(text.substr(at + 1), place));
}

}  // namespace

Expected<CpuPlace> parse_cpu_place(std::string_view text) {
  CpuPlace place;
  if (text.starts_with(kCores) ? read_cores(text, place) : read_part(text, place)) return place;
  const auto list = parse_cpu_list(text);
  if (!list || list->empty())
    return fail(ErrorCode::invalid_input, std::string(text),
                "not a CPU list (like 0-3), node:N, package:N, cores:N, cores:N@node:N or cores:N@package:N");
  return CpuPlace{.list = *list, .cores = {}, .node = {}, .package = {}};
}

std::string to_text(const CpuPlace& place) {
  if (!place.list.empty()) return to_cpu_list(place.list);
  const std::string part = place.node      ? fmt::format("{}{}", kNode, *place.node)
                           : place.package ? fmt::format("{}{}", kPackage, *place.package)
                                           : std::string();
  if (!place.cores) return part;
  return fmt::format("{}{}{}{}", kCores, *place.cores, part.empty() ? "" : "@", part);
}

std::optional<int> node_in_word(std::string_view text) { return number_behind(text, kNode, 0); }

}  // namespace netsettle
