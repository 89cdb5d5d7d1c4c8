#pragma once
// The documented list of metric names: usable in objective, subject_to, abort_if and --json.

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace netsettle {

enum class Better { higher, lower, neither };

struct Metric {
  std::string_view name;
  std::string_view unit;
  Better better;
  std::string_view meaning;
};

/// qps, qps_per_cpu_second, lost_percent, sent, completed, lost, burst_lost, window_lost_percent, server_received, server_answered,
/// server_cpu_s, imbalance, rcvbuf_errors, backlog_drops, time_squeeze, steal_percent, latency_avg_us, latency_max_us, unexplained_percent,
/// memory_available_percent, consecutive_failures.
std::span<const Metric> metrics();
const Metric* find_metric(std::string_view name);

/// Metric name → value; what could not be computed is absent.
using Measurements = std::map<std::string, double, std::less<>>;

}  // namespace netsettle
