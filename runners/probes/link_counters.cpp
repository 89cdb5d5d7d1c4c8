#include "runners/probes/link_counters.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

using Json = nlohmann::json;

bool is_root(const Json& discipline) {
  const auto root = discipline.is_object() ? discipline.find("root") : discipline.end();
  return root != discipline.end() && root->is_boolean() && root->get<bool>();
}

}  // namespace

Expected<std::map<std::string, std::uint64_t>> parse_qdisc_drops(std::string_view json) {
  const Json list = Json::parse(json, nullptr, false);
  if (!list.is_array()) return malformed("qdisc", "is no JSON list");
  std::map<std::string, std::uint64_t> drops;
  for (const Json& discipline : list) {
    if (!is_root(discipline)) continue;  // a class or band: the root has its drops too
    const auto count = discipline.find("drops"), device = discipline.find("dev");
    if (count == discipline.end() || !count->is_number_unsigned()) return malformed("qdisc", "the root has no count of drops");
    const bool is_named = device != discipline.end() && device->is_string();
    drops.emplace(is_named ? device->get<std::string>() : "", count->get<std::uint64_t>());
  }
  return drops;
}

Expected<std::map<std::string, std::uint64_t>> parse_conntrack(std::string_view text) {
  constexpr std::string_view kFile = "nf_conntrack";
  const auto lines = split_lines(text);
  const auto names = split_words(lines.empty() ? std::string_view() : lines.front());
  if (names.empty()) return malformed_line(kFile, 1, "is not the line of names");
  std::map<std::string, std::uint64_t> sums;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto words = split_words(lines[i]);
    if (words.size() != names.size())
      return malformed_line(kFile, i + 1, fmt::format("{} values for {} names", words.size(), names.size()));
    for (std::size_t column = 0; column < names.size(); ++column) {
      const auto value = whole_number<std::uint32_t>(words[column], 16);
      if (!value) return malformed_line(kFile, i + 1, fmt::format("{} is no hexadecimal number", words[column]));
      sums[std::string(names[column])] += *value;
    }
  }
  return sums;
}

}  // namespace netsettle::runners
