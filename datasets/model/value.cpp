#include "datasets/model/value.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace netsettle {

std::string to_text(const Value& value) {
  struct Visitor {
    std::string operator()(AsFound) const { return "as-found"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{}, value);
}

namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Splits "1.5s" into 1.5 and "s".
Expected<std::pair<double, std::string_view>> number_and_unit(std::string_view whole) {
  const std::string_view text = trim(whole);
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || !std::isfinite(number) || number < 0)
    return fail(ErrorCode::invalid_input, std::string(whole), "not a number with a unit");
  return std::pair{number, trim(text.substr(static_cast<std::size_t>(end - text.data())))};
}

Expected<std::int64_t> scaled(std::string_view whole, double number, double factor) {
  const double result = std::round(number * factor);
  if (result > 9e18) return fail(ErrorCode::invalid_input, std::string(whole), "too large");
  return static_cast<std::int64_t>(result);
}

}  // namespace

Expected<std::int64_t> parse_bytes(std::string_view text) {
  NETSETTLE_ASSIGN(const auto parts, number_and_unit(text));
  const auto [number, unit] = parts;
  if (unit.empty() || unit == "B") return scaled(text, number, 1);
  if (unit == "KiB") return scaled(text, number, 1024);
  if (unit == "MiB") return scaled(text, number, 1024.0 * 1024);
  if (unit == "GiB") return scaled(text, number, 1024.0 * 1024 * 1024);
  return fail(ErrorCode::invalid_input, std::string(text), fmt::format("unknown unit '{}': use B, KiB, MiB or GiB", unit));
}

Expected<std::int64_t> parse_duration_us(std::string_view text) {
  NETSETTLE_ASSIGN(const auto parts, number_and_unit(text));
  const auto [number, unit] = parts;
  if (unit == "us") return scaled(text, number, 1);
  if (unit == "ms") return scaled(text, number, 1e3);
  if (unit == "s") return scaled(text, number, 1e6);
  if (unit == "min") return scaled(text, number, 60e6);
  if (unit == "h") return scaled(text, number, 3600e6);
  return fail(ErrorCode::invalid_input, std::string(text),
              unit.empty() ? std::string("a duration needs a unit: us, ms, s, min or h")
                           : fmt::format("unknown unit '{}': use us, ms, s, min or h", unit));
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::int64_t kKi = 1024, kMi = kKi * 1024, kGi = kMi * 1024;
  if (bytes >= kGi && bytes % kGi == 0) return fmt::format("{} GiB", bytes / kGi);
  if (bytes >= kMi && bytes % kMi == 0) return fmt::format("{} MiB", bytes / kMi);
  if (bytes >= kKi && bytes % kKi == 0) return fmt::format("{} KiB", bytes / kKi);
  return fmt::format("{} B", bytes);
}

std::string format_duration_us(std::int64_t duration_us) {
  if (duration_us < 1'000'000) return fmt::format("{:g} ms", static_cast<double>(duration_us) / 1e3);
  if (duration_us < 10'000'000) return fmt::format("{:.2g} s", static_cast<double>(duration_us) / 1e6);
  const std::int64_t seconds = (duration_us + 500'000) / 1'000'000;
  if (seconds < 120) return fmt::format("{} s", seconds);
  const std::int64_t minutes = (seconds + 30) / 60;
  if (minutes < 60) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::optional<double> number_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

}  // namespace netsettle
