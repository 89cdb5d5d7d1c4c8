#include "strategies/validity/load_sanity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace netsettle::strategies {
namespace {

constexpr double kLatencyMargin = 1;       // seconds; a query may be sent at the very end
constexpr double kCountTolerance = 0.001;  // of what was sent
constexpr std::int64_t kCountSlack = 10;

bool is_impossible(const std::optional<double>& value) { return value && (!std::isfinite(*value) || *value < 0); }

std::string impossible_counts(const LoadReport& load) {
  if (!load.sent || !load.completed) return {};
  const std::int64_t accounted = *load.completed + load.lost.value_or(0) + load.interrupted.value_or(0);
  const auto slack = std::max(kCountSlack, static_cast<std::int64_t>(kCountTolerance * static_cast<double>(*load.sent)));
  if (*load.completed > *load.sent) return fmt::format("{} queries completed but only {} sent", *load.completed, *load.sent);
  if (accounted > *load.sent + kCountSlack)
    return fmt::format("completed, lost and interrupted queries are {} but only {} were sent", accounted, *load.sent);
  if (load.lost && accounted < *load.sent - slack)
    return fmt::format("{} queries sent but only {} completed, lost or interrupted", *load.sent, accounted);
  return {};
}

std::string impossible_rcodes(const LoadReport& load) {
  std::int64_t answers = 0;
  for (const auto& [code, count] : load.rcodes) answers += count;
  if (load.completed && answers > *load.completed + kCountSlack)
    return fmt::format("{} response codes for {} completed queries", answers, *load.completed);
  return {};
}

}  // namespace

std::string impossible_in(const LoadReport& load, double timeout_s) {
  for (const auto& count : {load.sent, load.completed, load.lost, load.interrupted})
    if (count && *count < 0) return fmt::format("a count is negative ({})", *count);
  for (const auto& value : {load.qps, load.runtime_s, load.latency_avg_s, load.latency_max_s})
    if (is_impossible(value)) return fmt::format("a rate or time is {}", *value);
  if (load.latency_max_s && load.runtime_s && *load.latency_max_s > *load.runtime_s + timeout_s + kLatencyMargin)
    return fmt::format("the longest latency is {:.3g} s in a run of {:.3g} s", *load.latency_max_s, *load.runtime_s);
  if (auto text = impossible_counts(load); !text.empty()) return text;
  return impossible_rcodes(load);
}

std::int64_t unaccepted_answers(const LoadReport& load, const std::vector<std::string>& accept) {
  std::int64_t others = 0;
  for (const auto& [code, count] : load.rcodes)
    if (std::ranges::find(accept, code) == accept.end()) others += count;
  return others;
}

}  // namespace netsettle::strategies
