#include "runners/settings/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace netsettle::runners {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view misspelled, const std::vector<std::string>& names) {
  std::optional<std::string> nearest;
  std::size_t limit = std::max<std::size_t>(2, misspelled.size() / 3) + 1;
  for (const auto& name : names) {
    const std::size_t distance = edit_distance(misspelled, name);
    if (distance >= limit) continue;
    limit = distance;
    nearest = name;
  }
  return nearest;
}

}  // namespace netsettle::runners
