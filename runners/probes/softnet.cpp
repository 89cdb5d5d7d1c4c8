#include "runners/probes/softnet.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

// Columns, from 0; the kernel writes each as eight hexadecimal digits (net/core/net-procfs.c).
constexpr std::string_view kFile = "softnet_stat";
enum Column : std::size_t {
  processed,
  dropped,
  time_squeeze,
  cpu_collision = 8,
  received_rps,
  flow_limit,
  backlog_length,
  cpu,
  input_length,
  process_length
};
constexpr std::size_t kDigits = 8;
constexpr std::uint32_t kMostCpus = 1u << 16;

bool is_known_width(std::size_t columns) { return columns == 9 || columns == 10 || columns == 11 || columns == 13 || columns >= 15; }

Expected<std::vector<std::uint32_t>> columns_of(std::string_view line, std::size_t number, std::size_t width) {
  std::vector<std::uint32_t> columns;
  const auto words = split_words(line);
  if (width != 0 && words.size() != width)
    return malformed_line(kFile, number, fmt::format("has {} columns, the lines before it {}", words.size(), width));
  if (!is_known_width(words.size())) return malformed_line(kFile, number, fmt::format("has {} columns", words.size()));
  for (const std::string_view word : words) {
    const auto value = whole_number<std::uint32_t>(word, 16);
    if (!value || word.size() != kDigits)
      return malformed_line(kFile, number, fmt::format("{} is no hexadecimal number of eight digits", word));
    columns.push_back(*value);
  }
  return columns;
}

SoftnetRow row_of(const std::vector<std::uint32_t>& columns, CpuId cpu_of_line) {
  const auto optional_column = [&](std::size_t column) { return column < columns.size() ? std::optional(columns[column]) : std::nullopt; };
  const auto own_cpu = optional_column(cpu);
  return {.cpu = own_cpu ? static_cast<CpuId>(*own_cpu) : cpu_of_line,
          .processed = columns[processed],
          .dropped = columns[dropped],
          .time_squeeze = columns[time_squeeze],
          .cpu_collision = columns[cpu_collision],
          .received_rps = optional_column(received_rps),
          .flow_limit = optional_column(flow_limit),
          .backlog_length = optional_column(backlog_length),
          .input_length = optional_column(input_length),
          .process_length = optional_column(process_length),
          .columns = columns.size()};
}

/// The CPU of a line without its number: the n-th of those on line.
Expected<CpuId> cpu_of_line(std::size_t number, const CpuSet& online) {
  if (number > online.size()) return malformed_line(kFile, number, fmt::format("there are only {} CPUs on line", online.size()));
  return *std::next(online.begin(), static_cast<std::ptrdiff_t>(number - 1));
}

Expected<void> check_cpu(const SoftnetRow& row, const std::vector<SoftnetRow>& before, std::size_t number) {
  if (row.cpu < 0 || static_cast<std::uint32_t>(row.cpu) >= kMostCpus) return malformed_line(kFile, number, "has no possible CPU number");
  if (std::ranges::find(before, row.cpu, &SoftnetRow::cpu) != before.end())
    return malformed_line(kFile, number, fmt::format("CPU {} is there twice", row.cpu));
  return {};
}

}  // namespace

Expected<std::vector<SoftnetRow>> parse_softnet(std::string_view text, const CpuSet& online) {
  const auto lines = split_lines(text);
  if (lines.empty()) return malformed_line(kFile, 1, "is missing: the file has no line");
  std::vector<SoftnetRow> rows;
  for (std::size_t width = 0; const std::string_view line : lines) {
    const std::size_t number = rows.size() + 1;
    NETSETTLE_ASSIGN(const auto columns, columns_of(line, number, width));
    width = columns.size();
    CpuId own_cpu = 0;
    if (width <= cpu) {
      NETSETTLE_ASSIGN(own_cpu, cpu_of_line(number, online));
    }
    SoftnetRow row = row_of(columns, own_cpu);
    NETSETTLE_TRY(check_cpu(row, rows, number));
    rows.push_back(row);
  }
  if (rows.front().columns <= cpu && rows.size() != online.size())
    return malformed_line(kFile, rows.size() + 1, fmt::format("is missing, {} CPUs are on line", online.size()));
  return rows;
}

}  // namespace netsettle::runners
