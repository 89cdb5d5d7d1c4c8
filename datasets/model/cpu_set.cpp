#include "datasets/model/cpu_set.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace netsettle {
namespace {

constexpr CpuId kMaxCpu = 65535;

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool read_number(std::string_view text, int& number) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && end == text.data() + text.size() && number >= 0 && number <= kMaxCpu;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// "5", "0-3" or "0-7:2/4" (of every 4 the first 2).
bool add_item(std::string_view item, CpuSet& cpus) {
  int used = 1, group = 1;
  if (const auto colon = item.find(':'); colon != std::string_view::npos) {
    const auto parts = split(item.substr(colon + 1), '/');
    if (parts.size() != 2 || !read_number(parts[0], used) || !read_number(parts[1], group) || used < 1 || used > group) return false;
    item = item.substr(0, colon);
  }
  int first = 0, last = 0;
  const auto dash = item.find('-');
  if (!read_number(item.substr(0, dash), first)) return false;
  last = first;
  if (dash != std::string_view::npos && !read_number(item.substr(dash + 1), last)) return false;
  if (last < first) return false;
  for (int cpu = first; cpu <= last; ++cpu)
    if ((cpu - first) % group < used) cpus.insert(cpu);
  return true;
}

}  // namespace

Expected<CpuSet> parse_cpu_list(std::string_view text) {
  CpuSet cpus;
  const std::string_view list = trim(text);
  if (list.empty()) return cpus;
  for (const auto item : split(list, ','))
    if (!add_item(trim(item), cpus)) return fail(ErrorCode::invalid_input, std::string(list), "not a CPU list (like 0-3,8)");
  return cpus;
}

std::string to_cpu_list(const CpuSet& cpus) {
  std::string list;
  for (auto cpu = cpus.begin(); cpu != cpus.end();) {
    auto last = cpu;
    while (std::next(last) != cpus.end() && *std::next(last) == *last + 1) ++last;
    list += (list.empty() ? "" : ",") + (last == cpu ? fmt::format("{}", *cpu) : fmt::format("{}-{}", *cpu, *last));
    cpu = std::next(last);
  }
  return list;
}

Expected<CpuSet> parse_cpu_mask(std::string_view text) {
  CpuSet cpus;
  const auto groups = split(trim(text), ',');
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::uint32_t bits = 0;
    const auto group = groups[groups.size() - 1 - i];
    const auto [end, status] = std::from_chars(group.data(), group.data() + group.size(), bits, 16);
    if (status != std::errc() || end != group.data() + group.size() || (groups.size() > 1 && group.size() > 8))
      return fail(ErrorCode::invalid_input, std::string(trim(text)), "not a CPU mask (like ff or 1,00000000)");
    for (int bit = 0; bit < 32; ++bit)
      if (bits >> bit & 1u) cpus.insert(static_cast<CpuId>(32 * i) + bit);
  }
  return cpus;
}

std::string to_cpu_mask(const CpuSet& cpus) {
  if (cpus.empty()) return "0";
  std::vector<std::uint32_t> groups(static_cast<std::size_t>(*cpus.rbegin()) / 32 + 1);
  for (const CpuId cpu : cpus) groups[static_cast<std::size_t>(cpu) / 32] |= 1u << (cpu % 32);
  std::string mask = fmt::format("{:x}", groups.back());
  for (std::size_t i = groups.size() - 1; i-- > 0;) mask += fmt::format(",{:08x}", groups[i]);
  return mask;
}

}  // namespace netsettle
