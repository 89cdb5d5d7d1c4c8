#include "tuner/loop/schedule.hpp"

#include <fmt/format.h>

#include <charconv>
#include <ctime>

namespace netsettle::tuner {
namespace {

struct ClockTime {
  int hour, minute;
};

std::optional<int> two_digits(std::string_view text, int limit) {
  int number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size() || text.size() > 2 || number < 0 || number >= limit) return std::nullopt;
  return number;
}

Expected<ClockTime> parse_clock_time(std::string_view text) {
  const auto colon = text.find(':');
  if (colon != std::string_view::npos)
    if (const auto hour = two_digits(text.substr(0, colon), 24), minute = two_digits(text.substr(colon + 1), 60); hour && minute)
      return ClockTime{*hour, *minute};
  return fail(ErrorCode::invalid_input, std::string(text), "not a time of day (like 06:30)");
}

std::tm local_time(std::int64_t time_us) {
  const std::time_t seconds = time_us / 1'000'000;
  std::tm local{};
  localtime_r(&seconds, &local);
  return local;
}

/// The instant of a clock time on the local day of `now_us`, `days` later. mktime finds the right offset on days with a clock change.
std::int64_t on_day(const ClockTime& time, std::int64_t now_us, int days) {
  std::tm local = local_time(now_us);
  local.tm_mday += days;
  local.tm_hour = time.hour;
  local.tm_min = time.minute;
  local.tm_sec = 0;
  local.tm_isdst = -1;
  return static_cast<std::int64_t>(std::mktime(&local)) * 1'000'000;
}

}  // namespace

Expected<std::int64_t> next_local_time(std::string_view clock_time, std::int64_t now_us) {
  NETSETTLE_ASSIGN(const ClockTime time, parse_clock_time(clock_time));
  const std::int64_t today = on_day(time, now_us, 0);
  return today > now_us ? today : on_day(time, now_us, 1);
}

Expected<double> seconds_until_window(std::string_view window, std::int64_t now_us) {
  const auto dash = window.find('-');
  if (dash == std::string_view::npos) return fail(ErrorCode::invalid_input, std::string(window), "not a window (like 22:00-06:30)");
  NETSETTLE_ASSIGN(const ClockTime begin, parse_clock_time(window.substr(0, dash)));
  NETSETTLE_ASSIGN(const ClockTime end, parse_clock_time(window.substr(dash + 1)));
  const std::tm local = local_time(now_us);
  const int now = local.tm_hour * 60 + local.tm_min, from = begin.hour * 60 + begin.minute, to = end.hour * 60 + end.minute;
  const bool open = from <= to ? now >= from && now < to : now >= from || now < to;
  if (open) return 0.0;
  NETSETTLE_ASSIGN(const std::int64_t opens, next_local_time(window.substr(0, dash), now_us));
  return static_cast<double>(opens - now_us) / 1e6;
}

std::string format_local_time(std::int64_t time_us) {
  const std::tm local = local_time(time_us);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min);
}

}  // namespace netsettle::tuner
