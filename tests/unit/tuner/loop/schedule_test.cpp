#include "tuner/loop/schedule.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <ctime>

using namespace netsettle::tuner;

namespace {

constexpr std::int64_t kSecond = 1'000'000;

/// Local clocks follow Europe/Berlin for the test; the rule is spelt out, so no time zone data is needed.
struct Berlin {
  Berlin() {
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
  }
  ~Berlin() {
    unsetenv("TZ");
    tzset();
  }
};

// 2026-11-30 21:00:00 UTC = 22:00 local
constexpr std::int64_t kEvening = 1'796'072'400 * kSecond;

}  // namespace

TEST_CASE("until is the next such local time, today or tomorrow") {
  const Berlin zone;
  CHECK(*next_local_time("23:30", kEvening) == kEvening + 90 * 60 * kSecond);
  CHECK(*next_local_time("06:30", kEvening) == kEvening + (8 * 60 + 30) * 60 * kSecond);
  CHECK(*next_local_time("22:00", kEvening) == kEvening + 24 * 3600 * kSecond);
}

TEST_CASE("a night with a clock change is an hour longer or shorter") {
  const Berlin zone;
  // 2026-10-24 20:00 UTC = 22:00 CEST; clocks go back at 03:00.
  const std::int64_t before_change = 1'792'872'000 * kSecond;
  CHECK(*next_local_time("06:00", before_change) == before_change + 9 * 3600 * kSecond);
}

TEST_CASE("a time of day that is none is refused") {
  for (const char* text : {"", "6", "24:00", "12:60", "ab:cd", "12:3x", "-1:30", "012:30"}) {
    CAPTURE(text);
    CHECK_FALSE(next_local_time(text, kEvening).has_value());
  }
}

TEST_CASE("a window may span midnight") {
  const Berlin zone;
  CHECK(*seconds_until_window("22:00-06:30", kEvening) == 0);
  CHECK(*seconds_until_window("22:00-06:30", kEvening - kSecond) == Approx(1));
  CHECK(*seconds_until_window("22:00-06:30", kEvening + 8 * 3600 * kSecond) == 0);
  CHECK(*seconds_until_window("22:00-06:30", kEvening + 9 * 3600 * kSecond) == Approx(15 * 3600));
  CHECK(*seconds_until_window("09:00-17:00", kEvening) == Approx(11 * 3600));
  CHECK_FALSE(seconds_until_window("22:00", kEvening).has_value());
}

TEST_CASE("local times are written for people") {
  const Berlin zone;
  CHECK(format_local_time(kEvening) == "2026-11-30 22:00");
}
