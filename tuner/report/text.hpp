#pragma once
// Numbers, values and lines of text for people. Pure, without locale: the same everywhere.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/racing/next_step.hpp"

namespace netsettle::tuner {

/// 41234.4 → "41,234"; 0.01234 → "0.01234"; four significant digits below 1000.
std::string quantity(double value);

/// A relative difference: 0.3101 → "+31.0 %", -0.02 → "-2.0 %".
std::string percent(double relative);

/// "+31.0 % (+24.1 to +38.0)".
std::string interval(const strategies::Interval95& effect);

/// Microseconds since the epoch → "2026-11-30 06:30:00 UTC".
std::string utc(std::int64_t time_us);

/// Microseconds since the epoch → "2026-11-30T06:30:00.123456Z"; empty for 0, which is no time.
std::string iso_time(std::int64_t time_us);

/// A value as people write it: "4 MiB", "500 ms", "as found".
std::string value_text(ParameterType type, const Value& value);

/// What a configuration changes: "processes=2, rmem=4 MiB"; "as found" where it changes nothing.
std::string changes(const StudyView& study, const Configuration& configuration);

/// Columns that UTF-8 text takes on a terminal, one for each character (wide and combining characters do not occur here).
std::size_t width_of(std::string_view text);

/// At most `width` columns, "…" at the end where something was cut.
std::string cut(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken at spaces; a longer word has a line of its own. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace netsettle::tuner
