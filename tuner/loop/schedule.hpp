#pragma once
// Local times of a budget: "until" and "window". Pure: the present is handed in.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::tuner {

/// The next instant (UTC, microseconds) at which local clocks show "HH:MM", strictly after `now_us`. invalid_input.
Expected<std::int64_t> next_local_time(std::string_view clock_time, std::int64_t now_us);

/// Seconds until the window "22:00-06:30" opens; 0 while it is open. It may span midnight. invalid_input.
Expected<double> seconds_until_window(std::string_view window, std::int64_t now_us);

/// Local "2026-11-30 23:05" for people.
std::string format_local_time(std::int64_t time_us);

}  // namespace netsettle::tuner
