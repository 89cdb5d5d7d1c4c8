#include "tuner/cli/counter_tree.hpp"

#include <fstream>
#include <optional>

namespace netsettle::tuner {
namespace {

constexpr std::string_view kOnline = "sys/devices/system/cpu/online";

}  // namespace

bool CounterTree::has(std::string_view path) const {
  std::error_code ignored;
  return std::filesystem::is_regular_file(root_ / path, ignored);
}

Expected<std::string> CounterTree::text(std::string_view path) const {
  constexpr std::size_t kLargest = 16u << 20;
  const std::string whole = root_ / path;
  if (!has(path)) return fail(ErrorCode::not_found, whole, "there is no such file; a tree has proc/ and sys/ below");
  std::ifstream file(whole, std::ios::binary);
  std::string text(kLargest + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) return fail(ErrorCode::io, whole, "cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargest) return fail(ErrorCode::invalid_input, whole, "is above 16 MiB");
  return text;
}

Expected<std::optional<CpuSet>> CounterTree::online() const {
  if (!has(kOnline)) return std::nullopt;
  NETSETTLE_ASSIGN(const std::string list, text(kOnline));
  NETSETTLE_ASSIGN(CpuSet cpus, parse_cpu_list(list));
  return cpus;
}

}  // namespace netsettle::tuner
