#include "tuner/report/text.hpp"

#include <fmt/chrono.h>
#include <algorithm>

#include <chrono>
#include <cmath>

namespace netsettle::tuner {

namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }  // not a continuation byte of UTF-8

std::string with_commas(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t end = digits.size(); end > first + 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

ParameterType type_of(const StudyView& study, std::string_view name) {
  for (const Parameter& parameter : study.experiment.parameters)
    if (parameter.name == name) return parameter.type;
  return ParameterType::categorical;
}

}  // namespace

std::string quantity(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::abs(value) < 999.95) return fmt::format("{:.4g}", value);
  return with_commas(fmt::format("{:.0f}", value));
}

std::string percent(double relative) { return fmt::format("{:+.1f} %", 100 * relative); }

std::string interval(const strategies::Interval95& effect) {
  return fmt::format("{} ({:+.1f} to {:+.1f})", percent(effect.estimate), 100 * effect.low, 100 * effect.high);
}

std::string utc(std::int64_t time_us) {
  const auto time = std::chrono::sys_seconds(std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds(time_us)));
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", time);
}

std::string iso_time(std::int64_t time_us) {
  if (time_us == 0) return "";
  const std::chrono::sys_time<std::chrono::microseconds> time{std::chrono::microseconds(time_us)};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", seconds, (time - seconds).count());
}

std::string value_text(ParameterType type, const Value& value) {
  if (std::holds_alternative<AsFound>(value)) return "as found";
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer && type == ParameterType::bytes) return format_bytes(*integer);
  if (integer && type == ParameterType::duration) return format_duration_us(*integer);
  return to_text(value);
}

std::string changes(const StudyView& study, const Configuration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration.values) {
    if (std::holds_alternative<AsFound>(value)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value_text(type_of(study, name), value));
  }
  return text.empty() ? "as found" : text;
}

std::size_t width_of(std::string_view text) { return static_cast<std::size_t>(std::ranges::count_if(text, starts_character)); }

std::string cut(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::size_t columns = 0, end = 0;
  for (; end < text.size(); ++end)
    if (starts_character(text[end]) && ++columns == width) break;
  return std::string(text.substr(0, end)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

}  // namespace netsettle::tuner
