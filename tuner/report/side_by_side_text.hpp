#pragma once
// Configurations side by side for people and programs.

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "tuner/report/side_by_side.hpp"

namespace netsettle::tuner {

/// "the baseline", "configuration 5".
std::string configuration_name(std::int64_t id);

/// Two tables: how steady each is, and the difference of each pair with its interval.
std::string side_by_side_text(const StudyView& study, const SideBySide& compared, std::size_t width);

/// What may be said of pairs that were compared in blocks whose number was fixed before: which differ, at 5 % over all pairs together
/// (Bonferroni). A configuration that failed is not called better.
std::string pairs_conclusion(const SideBySide& compared);

/// The same of tests against the baseline: which are better than it, each at 2.5 % one-sided divided by the number of tests.
std::string baseline_conclusion(const SideBySide& compared);

/// What to know of numbers that the record had already: no claim is made of them.
std::string record_conclusion(const SideBySide& compared);

/// {"objective", "source", "level", "configurations": [...], "pairs": [...]}: relative differences, more is better; absent is null.
nlohmann::ordered_json side_by_side_json(const StudyView& study, const SideBySide& compared);

}  // namespace netsettle::tuner
