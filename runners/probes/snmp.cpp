#include "runners/probes/snmp.hpp"

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string_view>;

Expected<NamedCounters> named(std::string_view group, const Words& names, const Words& values) {
  constexpr std::string_view kFile = "snmp";
  if (values.size() != names.size())
    return malformed(kFile, fmt::format("{}: {} values for {} names", group, values.size() - 1, names.size() - 1));
  NamedCounters counters;
  for (std::size_t i = 1; i < names.size(); ++i) {  // the first word is the group
    const auto value = whole_number<std::uint64_t>(values[i]);
    if (!value) return malformed(kFile, fmt::format("{}: {} is no count: {}", group, names[i], values[i]));
    if (!counters.emplace(names[i], *value).second) return malformed(kFile, fmt::format("{}: {} is there twice", group, names[i]));
  }
  return counters;
}

}  // namespace

Expected<NamedCounters> parse_snmp_group(std::string_view text, std::string_view group) {
  const std::string label = fmt::format("{}:", group);
  Words names;
  for (const std::string_view line : split_lines(text)) {
    auto words = split_words(line);
    if (words.empty() || words.front() != label) continue;
    if (!names.empty()) return named(group, names, words);
    names = std::move(words);
  }
  if (!names.empty()) return malformed("snmp", fmt::format("has no values for {}", group));
  return malformed("snmp", fmt::format("{} is missing", group));
}

Expected<NamedCounters> parse_snmp_udp(std::string_view text) { return parse_snmp_group(text, "Udp"); }

Expected<NamedCounters> parse_snmp_ip(std::string_view text) { return parse_snmp_group(text, "Ip"); }

Expected<NamedCounters> parse_snmp6_group(std::string_view text, std::string_view prefix) {
  constexpr std::string_view kFile = "snmp6";
  NamedCounters counters;
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    if (words.empty() || !words.front().starts_with(prefix)) continue;  // "UdpLite6…" is something else
    const auto value = words.size() == 2 ? whole_number<std::uint64_t>(words[1]) : std::nullopt;
    if (!value) return malformed(kFile, fmt::format("{}: has no count", words.front()));
    counters.emplace(words.front().substr(prefix.size()), *value);
  }
  if (counters.empty()) return malformed(kFile, fmt::format("has no {} lines", prefix));
  return counters;
}

Expected<NamedCounters> parse_snmp6_udp(std::string_view text) { return parse_snmp6_group(text, "Udp6"); }

Expected<NamedCounters> parse_snmp6_ip(std::string_view text) { return parse_snmp6_group(text, "Ip6"); }

}  // namespace netsettle::runners
