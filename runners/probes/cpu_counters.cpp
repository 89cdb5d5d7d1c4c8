#include "runners/probes/cpu_counters.hpp"

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string_view>;

/// "cpu  …" and "cpuN …"; seven columns at least (Linux 2.6), steal since 2.6.11, guest since 2.6.24.
Expected<CpuTimes> cpu_times(const Words& words, std::size_t line) {
  constexpr std::size_t kLeast = 7;
  std::vector<std::uint64_t> ticks;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto number = whole_number<std::uint64_t>(words[i]);
    if (!number) return malformed_line("stat", line, fmt::format("{}: {} is no count", words.front(), words[i]));
    ticks.push_back(*number);
  }
  if (ticks.size() < kLeast) return malformed_line("stat", line, fmt::format("{}: has {} columns", words.front(), ticks.size()));
  const auto later_column = [&](std::size_t column) { return column < ticks.size() ? std::optional(ticks[column]) : std::nullopt; };
  return CpuTimes{.user = ticks[0],
                  .nice = ticks[1],
                  .system = ticks[2],
                  .idle = ticks[3],
                  .iowait = ticks[4],
                  .irq = ticks[5],
                  .softirq = ticks[6],
                  .steal = later_column(7),
                  .guest = later_column(8),
                  .guest_nice = later_column(9),
                  .columns = ticks.size()};
}

/// -1 for the sum line.
std::optional<int> cpu_of_label(std::string_view label) {
  constexpr std::string_view kLabel = "cpu";
  if (!label.starts_with(kLabel)) return std::nullopt;
  if (label == kLabel) return -1;
  const auto number = whole_number<std::uint16_t>(label.substr(kLabel.size()));
  return number ? std::optional<int>(*number) : std::nullopt;
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
  std::size_t columns = 0;
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto words = split_words(lines[i]);
    const auto label = words.empty() ? std::nullopt : cpu_of_label(words.front());
    if (!label) continue;
    NETSETTLE_ASSIGN(const CpuTimes row, cpu_times(words, i + 1));
    if (columns != 0 && row.columns != columns)
      return malformed_line("stat", i + 1, fmt::format("{}: has {} columns, the lines before it {}", words.front(), row.columns, columns));
    columns = row.columns;
    if (!times.emplace(*label, row).second) return malformed_line("stat", i + 1, fmt::format("{} is there twice", words.front()));
  }
  if (!times.contains(-1)) return malformed("stat", "has no cpu line");
  return times;
}

std::uint64_t total_of(const CpuTimes& times) {
  return times.user + times.nice + times.system + times.idle + times.iowait + times.irq + times.softirq + times.steal.value_or(0);
}

Expected<Pressure> parse_pressure(std::string_view text) {
  constexpr std::string_view kFile = "pressure", kTotal = "total=";
  std::optional<std::uint64_t> some, full;
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto words = split_words(lines[i]);
    if (words.empty()) continue;
    const auto total = words.back().starts_with(kTotal) ? whole_number<std::uint64_t>(words.back().substr(kTotal.size())) : std::nullopt;
    if (!total) return malformed_line(kFile, i + 1, "does not end with a total");
    if (words.front() == "some") some = total;
    if (words.front() == "full") full = total;
  }
  if (!some) return malformed(kFile, "has no line of some");
  return Pressure{.some_us = *some, .full_us = full};
}

Expected<double> parse_memory_available(std::string_view text) {
  const auto total = meminfo_kib(text, "MemTotal:"), available = meminfo_kib(text, "MemAvailable:");
  if (!total || *total == 0 || !available) return malformed("meminfo", "has no MemTotal or no MemAvailable");
  return 100.0 * static_cast<double>(*available) / static_cast<double>(*total);
}

Expected<std::map<std::string, std::uint64_t>> parse_named_values(std::string_view text) {
  std::map<std::string, std::uint64_t> values;
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto words = split_words(lines[i]);
    if (words.empty()) continue;
    const auto value = words.size() == 2 ? whole_number<std::uint64_t>(words.back()) : std::nullopt;
    if (!value) return malformed_line("values", i + 1, "is not a name and a number");
    values.emplace(words.front(), *value);
  }
  return values;
}

}  // namespace netsettle::runners
