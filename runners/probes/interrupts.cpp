#include "runners/probes/interrupts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kFile = "interrupts";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kBlanks = " \t";

/// "CPU0 CPU2 …": the numbers.
Expected<std::vector<CpuId>> header_cpus(std::string_view file, const std::vector<std::string_view>& lines) {
  constexpr std::string_view kLabel = "CPU";
  std::vector<CpuId> cpus;
  for (const std::string_view word : split_words(lines.empty() ? std::string_view() : lines.front())) {
    const auto cpu = word.starts_with(kLabel) ? whole_number<std::uint16_t>(word.substr(kLabel.size())) : std::nullopt;
    if (!cpu || std::ranges::find(cpus, CpuId{*cpu}) != cpus.end()) return malformed_line(file, 1, fmt::format("{} is no CPU", word));
    cpus.push_back(*cpu);
  }
  if (cpus.empty()) return malformed_line(file, 1, "is not the line of CPUs");
  return cpus;
}

/// Takes the number at the beginning of `rest`, and the blanks around it.
std::optional<std::uint64_t> take_count(std::string_view& rest) {
  const std::string_view begin = rest.substr(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const std::string_view word = begin.substr(0, begin.find_first_of(kBlanks));
  const auto count = whole_number<std::uint64_t>(word);
  if (count) rest = begin.substr(word.size());
  return count;
}

/// At most `most` numbers from the beginning of `rest`.
std::vector<std::uint64_t> take_counts(std::string_view& rest, std::size_t most) {
  std::vector<std::uint64_t> counts;
  while (counts.size() < most) {
    const auto count = take_count(rest);
    if (!count) break;
    counts.push_back(*count);
  }
  return counts;
}

Expected<std::vector<std::uint32_t>> as_32_bits(const std::vector<std::uint64_t>& counts, std::string_view file, std::size_t number) {
  std::vector<std::uint32_t> narrow;
  for (const std::uint64_t count : counts) {
    if (count > UINT32_MAX) return malformed_line(file, number, fmt::format("{} is above 32 bits", count));
    narrow.push_back(static_cast<std::uint32_t>(count));
  }
  return narrow;
}

/// "530-edge", "530", "Level": where the hardware's part of a row ends.
bool is_hardware_word(std::string_view word) {
  if (word == "Level" || word == "Edge" || word == "level" || word == "edge") return true;
  const std::size_t digits = std::min(word.find_first_not_of(kDigits), word.size());
  return digits > 0 && (digits == word.size() || word[digits] == '-');
}

/// Where the actions begin: behind the last gap of two blanks or more. One blank may be within a name.
std::size_t actions_begin(std::string_view tail) {
  const std::size_t wide = tail.rfind("  "), tab = tail.rfind('\t');
  const std::size_t begin = std::max(wide == tail.npos ? 0 : wide + 2, tab == tail.npos ? 0 : tab + 1);
  return begin == 0 ? tail.size() : begin;
}

bool has_hardware_word(std::string_view text) { return std::ranges::any_of(split_words(text), is_hardware_word); }

/// An interrupt that nobody handles: what is behind the last gap is the number of "GICv3  30 Level".
bool are_no_actions(std::string_view head, std::string_view actions) {
  return std::ranges::all_of(split_words(actions), is_hardware_word) && !has_hardware_word(head);
}

std::vector<std::string> split_actions(std::string_view text) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> actions;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kBetween), text.size());
    actions.emplace_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return actions;
}

/// "GICv3  30 Level", "PCI-MSI 530-edge", "IO-APIC-edge".
void read_hardware(InterruptRow& row, std::string_view text) {
  std::vector<std::string_view> chip;
  for (const std::string_view word : split_words(text)) {
    if (chip.empty() || !is_hardware_word(word)) {
      chip.push_back(word);
      continue;
    }
    const std::size_t digits = std::min(word.find_first_not_of(kDigits), word.size());
    if (const auto number = whole_number<std::uint64_t>(word.substr(0, digits))) row.hardware_number = number;
    const std::string_view rest = word.substr(digits);
    if (!rest.empty()) row.trigger = rest.substr(rest.front() == '-' ? 1 : 0);
  }
  row.chip = fmt::format("{}", fmt::join(chip, " "));
}

/// What follows the counts: chip, number and trigger, and after a wide gap the actions, if there are any.
void read_description(InterruptRow& row, std::string_view text) {
  const std::string_view tail = trimmed(text);
  const std::size_t begin = actions_begin(tail);
  const std::string_view head = tail.substr(0, begin), actions = trimmed(tail.substr(begin));
  if (are_no_actions(head, actions)) return read_hardware(row, tail);
  read_hardware(row, head);
  row.actions = split_actions(actions);
}

Expected<void> add_row(Interrupts& interrupts, std::string_view line, std::size_t number) {
  const std::size_t colon = line.find(':');
  const std::string_view label = trimmed(line.substr(0, std::min(colon, line.size())));
  if (colon == std::string_view::npos || label.empty()) return malformed_line(kFile, number, "has no name before a colon");
  std::string_view rest = line.substr(colon + 1);
  const auto counts = take_counts(rest, interrupts.cpus.size());
  const auto irq = whole_number<std::uint16_t>(label);
  const bool is_whole = counts.size() == interrupts.cpus.size();
  if (!is_whole && (irq || counts.size() > 1))
    return malformed_line(kFile, number, fmt::format("{} has {} counts for {} CPUs", label, counts.size(), interrupts.cpus.size()));
  if (!irq) {
    if (interrupts.named.emplace(label, counts).second) return {};
    return malformed_line(kFile, number, fmt::format("{} is there twice", label));
  }
  InterruptRow row;
  NETSETTLE_ASSIGN(row.counts, as_32_bits(counts, kFile, number));
  read_description(row, rest);
  if (!interrupts.irqs.emplace(*irq, std::move(row)).second) return malformed_line(kFile, number, fmt::format("{} is there twice", label));
  return {};
}

}  // namespace

Expected<Interrupts> parse_interrupts(std::string_view text) {
  const auto lines = split_lines(text);
  Interrupts interrupts;
  NETSETTLE_ASSIGN(interrupts.cpus, header_cpus(kFile, lines));
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (!trimmed(lines[i]).empty()) NETSETTLE_TRY(add_row(interrupts, lines[i], i + 1));
  return interrupts;
}

Expected<SoftInterrupts> parse_softirqs(std::string_view text) {
  constexpr std::string_view kSoftirqs = "softirqs";
  const auto lines = split_lines(text);
  SoftInterrupts result;
  NETSETTLE_ASSIGN(result.cpus, header_cpus(kSoftirqs, lines));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (trimmed(lines[i]).empty()) continue;
    const std::size_t colon = std::min(lines[i].find(':'), lines[i].size());
    std::string_view rest = lines[i].substr(std::min(colon + 1, lines[i].size()));
    const auto counts = take_counts(rest, result.cpus.size());
    if (counts.size() != result.cpus.size() || !trimmed(rest).empty())
      return malformed_line(kSoftirqs, i + 1, fmt::format("has not one count for each of {} CPUs", result.cpus.size()));
    NETSETTLE_ASSIGN(auto narrow, as_32_bits(counts, kSoftirqs, i + 1));
    result.counts.emplace(trimmed(lines[i].substr(0, colon)), std::move(narrow));
  }
  return result;
}

}  // namespace netsettle::runners
