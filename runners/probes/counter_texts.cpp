// Parsers of the kernel's counter files: pure functions of the text.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "runners/probes/counters.hpp"

namespace netsettle::runners {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> split_words(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

template <typename Number>
std::optional<Number> whole_number(std::string_view word, int base = 10) {
  Number number = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::unexpected<Error> malformed(std::string_view file, std::string text) {
  return fail(ErrorCode::invalid_input, std::string(file), std::move(text));
}

// Columns of softnet_stat, from 0; the kernel writes each as eight hexadecimal digits (net/core/net-procfs.c).
constexpr std::string_view kSoftnet = "softnet_stat";
enum SoftnetColumn : std::size_t { processed, dropped, time_squeeze, received_rps = 9, flow_limit = 10, backlog_length = 11, cpu = 12 };
constexpr std::size_t kSoftnetDigits = 8;

bool is_known_width(std::size_t columns) { return columns == 9 || columns == 10 || columns == 11 || columns == 13 || columns >= 15; }

Expected<std::vector<std::uint32_t>> softnet_columns(std::string_view line, std::size_t line_number) {
  std::vector<std::uint32_t> columns;
  for (const std::string_view word : split_words(line)) {
    const auto number = whole_number<std::uint32_t>(word, 16);
    if (!number || word.size() != kSoftnetDigits)
      return malformed(kSoftnet, fmt::format("line {}: {} is no hexadecimal number of eight digits", line_number, word));
    columns.push_back(*number);
  }
  if (!is_known_width(columns.size())) return malformed(kSoftnet, fmt::format("line {}: has {} columns", line_number, columns.size()));
  return columns;
}

SoftnetRow softnet_row(const std::vector<std::uint32_t>& columns, CpuId cpu_of_line) {
  const auto optional_column = [&](std::size_t column) { return column < columns.size() ? std::optional(columns[column]) : std::nullopt; };
  const auto own_cpu = optional_column(cpu);
  return {.cpu = own_cpu ? static_cast<CpuId>(*own_cpu) : cpu_of_line,
          .processed = columns[processed],
          .dropped = columns[dropped],
          .time_squeeze = columns[time_squeeze],
          .received_rps = optional_column(received_rps),
          .flow_limit = optional_column(flow_limit),
          .backlog_length = optional_column(backlog_length)};
}

bool has_twice(std::vector<SoftnetRow> rows) {
  std::ranges::sort(rows, {}, &SoftnetRow::cpu);
  return std::ranges::adjacent_find(rows, {}, &SoftnetRow::cpu) != rows.end();
}

}  // namespace

Expected<std::vector<SoftnetRow>> parse_softnet(std::string_view text, const CpuSet& online) {
  const auto lines = split_lines(text);
  if (lines.empty()) return malformed(kSoftnet, "line 1: is missing");
  std::vector<SoftnetRow> rows;
  std::size_t width = 0;
  for (auto online_cpu = online.begin(); const std::string_view line : lines) {
    const std::size_t line_number = rows.size() + 1;
    NETSETTLE_ASSIGN(const auto columns, softnet_columns(line, line_number));
    if (width != 0 && columns.size() != width)
      return malformed(kSoftnet, fmt::format("line {}: has {} columns, the others {}", line_number, columns.size(), width));
    width = columns.size();
    if (width <= cpu && online_cpu == online.end())
      return malformed(kSoftnet, fmt::format("line {}: there are only {} CPUs on line", line_number, online.size()));
    rows.push_back(softnet_row(columns, online_cpu == online.end() ? 0 : *online_cpu));
    if (online_cpu != online.end()) ++online_cpu;
  }
  if (width <= cpu && rows.size() != online.size())
    return malformed(kSoftnet, fmt::format("line {}: is missing, {} CPUs are on line", rows.size() + 1, online.size()));
  if (has_twice(rows)) return malformed(kSoftnet, fmt::format("line {}: a CPU is there twice", rows.size()));
  return rows;
}

Expected<std::map<std::string, std::uint64_t>> parse_snmp_udp(std::string_view text) {
  constexpr std::string_view kFile = "snmp";
  std::vector<std::string_view> names;
  for (const std::string_view line : split_lines(text)) {
    auto words = split_words(line);
    if (words.empty() || words.front() != "Udp:") continue;  // "UdpLite:" is something else
    words.erase(words.begin());
    if (names.empty()) {
      names = std::move(words);
      continue;
    }
    if (words.size() != names.size()) return malformed(kFile, fmt::format("Udp: {} values for {} names", words.size(), names.size()));
    std::map<std::string, std::uint64_t> counters;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto value = whole_number<std::uint64_t>(words[i]);
      if (!value) return malformed(kFile, fmt::format("Udp: {} is no count: {}", names[i], words[i]));
      counters.emplace(names[i], *value);
    }
    return counters;
  }
  return malformed(kFile, names.empty() ? "has no Udp lines" : "has no values for Udp");
}

Expected<std::map<std::string, std::uint64_t>> parse_snmp6_udp(std::string_view text) {
  constexpr std::string_view kFile = "snmp6", kPrefix = "Udp6";
  std::map<std::string, std::uint64_t> counters;
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    if (words.empty() || !words.front().starts_with(kPrefix)) continue;  // "UdpLite6…" is something else
    const auto value = words.size() == 2 ? whole_number<std::uint64_t>(words[1]) : std::nullopt;
    if (!value) return malformed(kFile, fmt::format("{}: has no count", words.front()));
    counters.emplace(words.front().substr(kPrefix.size()), *value);
  }
  if (counters.empty()) return malformed(kFile, "has no Udp6 lines");
  return counters;
}

namespace {

/// "cpu  …" and "cpuN …" without the label; seven columns at least (Linux 2.6), steal since 2.6.11.
Expected<CpuTimes> cpu_times(const std::vector<std::string_view>& words) {
  constexpr std::size_t kWithoutSteal = 7;
  std::vector<std::uint64_t> ticks;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto number = whole_number<std::uint64_t>(words[i]);
    if (!number) return malformed("stat", fmt::format("{}: {} is no count", words.front(), words[i]));
    ticks.push_back(*number);
  }
  if (ticks.size() < kWithoutSteal) return malformed("stat", fmt::format("{}: has {} columns", words.front(), ticks.size()));
  CpuTimes times{
      .user = ticks[0], .nice = ticks[1], .system = ticks[2], .idle = ticks[3], .iowait = ticks[4], .irq = ticks[5], .softirq = ticks[6]};
  if (ticks.size() > kWithoutSteal) times.steal = ticks[kWithoutSteal];
  return times;
}

/// -1 for the sum line.
std::optional<int> cpu_of_label(std::string_view label) {
  constexpr std::string_view kLabel = "cpu";
  if (!label.starts_with(kLabel)) return std::nullopt;
  if (label == kLabel) return -1;
  const auto number = whole_number<int>(label.substr(kLabel.size()));
  return number && *number >= 0 ? number : std::nullopt;
}

std::optional<std::uint64_t> meminfo_kib(std::string_view text, std::string_view key) {
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    if (words.size() >= 2 && words.front() == key) return whole_number<std::uint64_t>(words[1]);
  }
  return std::nullopt;
}

}  // namespace

Expected<std::map<int, CpuTimes>> parse_stat(std::string_view text) {
  std::map<int, CpuTimes> times;
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    const auto label = words.empty() ? std::nullopt : cpu_of_label(words.front());
    if (!label) continue;
    NETSETTLE_ASSIGN(times[*label], cpu_times(words));
  }
  if (!times.contains(-1)) return malformed("stat", "has no cpu line");
  return times;
}

Expected<double> parse_memory_available(std::string_view text) {
  const auto total = meminfo_kib(text, "MemTotal:"), available = meminfo_kib(text, "MemAvailable:");
  if (!total || *total == 0 || !available) return malformed("meminfo", "has no MemTotal or no MemAvailable");
  return 100.0 * static_cast<double>(*available) / static_cast<double>(*total);
}

}  // namespace netsettle::runners
