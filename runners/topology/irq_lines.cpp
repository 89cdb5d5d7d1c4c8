#include "runners/topology/irq_lines.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kIrqFolder = "/proc/irq/";

Expected<Interrupts> read_table(Host& host) {
  NETSETTLE_ASSIGN(const std::string text, host.read_file("/proc/interrupts"));
  return parse_interrupts(text);
}

/// What /proc/irq/N has beside the folders of the handlers.
bool is_own_file(std::string_view name) {
  constexpr std::array kFiles = {
      "affinity_hint", "effective_affinity", "effective_affinity_list", "node", "smp_affinity", "smp_affinity_list", "spurious", "managed"};
  return std::ranges::find(kFiles, name) != kFiles.end();
}

std::vector<int> numbers_in(Host& host, const std::string& folder) {
  std::vector<int> numbers;
  for (const std::string& name : host.list_directory(folder).value_or(std::vector<std::string>()))
    if (const auto number = whole_number<int>(name)) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

IrqLines::IrqLines(Host& host) : host_(host) {
  auto table = read_table(host);
  if (table) {
    for (const auto& [number, row] : table->irqs)
      if (!row.actions.empty()) numbers_.push_back(number);
    table_ = std::move(*table);
    return;
  }
  problem_ = table.error();
  numbers_ = numbers_in(host, "/proc/irq");
}

std::vector<std::string> IrqLines::action_folders(int irq) const {
  std::vector<std::string> names;
  const std::string folder = fmt::format("{}{}", kIrqFolder, irq);
  for (std::string& name : host_.list_directory(folder).value_or(std::vector<std::string>()))
    if (!is_own_file(name)) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> IrqLines::actions(int irq) const {
  if (table_)
    if (const auto row = table_->irqs.find(irq); row != table_->irqs.end() && !row->second.actions.empty()) return row->second.actions;
  std::vector<std::string> listed = action_folders(irq);
  if (!listed.empty()) return listed;
  const auto text = host_.read_file(fmt::format("/sys/kernel/irq/{}/actions", irq));
  if (!text) return {};
  for (const std::string_view line : split_lines(*text))
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      if (end > at) listed.emplace_back(line.substr(at, end - at));
      at = end + 1;
    }
  return listed;
}

}  // namespace netsettle::runners
