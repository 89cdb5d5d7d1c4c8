#pragma once
// The thresholds and comparisons that the verdicts of all load generators share.

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include <fmt/format.h>

#include "runners/loads/dnsperf_result.hpp"
#include "runners/loads/run_facts.hpp"

namespace netsettle::runners {

inline constexpr double kMostLoss = 0.01, kMostUnaccepted = 0.01, kReachedRate = 0.9;
inline constexpr std::int64_t kFewAnswers = 100;

struct Findings {
  std::vector<std::string> names;
  void add(const char* name, bool holds) {
    if (holds) names.emplace_back(name);
  }
};

/// Why there is no result: of dnsperf and resperf, which share messages and report.
inline std::vector<std::string> failures_of(ReportState report, const OutputMessages& messages, const RunFacts& run) {
  Findings failures{exit_reasons(run)};
  failures.add("NO_STATISTICS", report == ReportState::none);
  failures.add("PARTIAL_STATISTICS", report == ReportState::partial);
  failures.add("TOOL_ERROR", !messages.errors.empty());
  failures.add("USAGE", messages.usage_printed);
  return failures.names;
}

inline double share(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

inline bool is_over(std::int64_t part, std::int64_t whole, double limit) { return whole > 0 && share(part, whole) > limit; }
inline bool is_some(std::int64_t part, std::int64_t whole, double limit) { return whole > 0 && part > 0 && share(part, whole) <= limit; }

inline std::int64_t other_answers(const RcodeCounts& rcodes, const std::vector<std::string>& accepted) {
  double total = 0;  // no overflow, whatever was printed
  for (const auto& [name, count] : rcodes)
    if (std::ranges::find(accepted, name) == accepted.end()) total += static_cast<double>(count);
  constexpr double kMost = 9e18;
  return static_cast<std::int64_t>(std::min(total, kMost));
}

/// Exact, without overflow.
inline bool adds_up(std::int64_t whole, std::initializer_list<std::int64_t> parts) {
  for (const std::int64_t part : parts) {
    if (part > whole) return false;
    whole -= part;
  }
  return whole == 0;
}

inline bool too_few_succeeded(std::optional<std::int64_t> attempts, std::optional<std::int64_t> successful) {
  return attempts && successful && *attempts > 0 && *successful < *attempts - *successful;
}

/// The run time by the wall clock is longer than the process lived.
inline bool outlasts_the_process(std::optional<double> runtime_s, const RunFacts& run) {
  constexpr double kTolerance_s = 0.2;
  return runtime_s && run.wall_s && *runtime_s > *run.wall_s + kTolerance_s;
}

/// Rounded to decimals, as printing does.
inline double rounded(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

}  // namespace netsettle::runners
