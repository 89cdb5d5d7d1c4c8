#pragma once
// Numbers as load generators print them: decimal point whatever the locale, sometimes a suffix, sometimes "nan".

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "datasets/model/trimmed.hpp"

namespace netsettle::runners {

/// The whole text as a finite number; absent for "nan", "inf" and everything else.
inline std::optional<double> printed_number(std::string_view text) {
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// The count at the begin of "298533 (99.90%)"; dnsperf 2.2.0 writes "298533u". Absent where it is negative or too large.
inline std::optional<std::int64_t> printed_count(std::string_view text) {
  std::int64_t count = 0;
  const char *const first = text.data(), *const last = first + text.size();
  auto [end, status] = std::from_chars(first, last, count);
  if (status != std::errc() || count < 0) return std::nullopt;
  if (end != last && *end == 'u') ++end;
  if (end != last && *end != ' ') return std::nullopt;
  return count;
}

}  // namespace netsettle::runners
