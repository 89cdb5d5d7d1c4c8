#include "datasets/model/metric.hpp"

#include <algorithm>
#include <array>

namespace netsettle {
namespace {

// Counts grow with the length of a trial, and a study-wide state is not a property of a configuration: neither can be an objective,
// so their direction is `neither` unless less of them is plainly better.
constexpr std::array kMetrics = {
    Metric{"qps", "queries/s", Better::higher, "queries answered per second in the measuring window"},
    Metric{"qps_per_cpu_second", "queries/CPU s", Better::higher, "queries answered per second of CPU time that the server used"},
    Metric{"lost_percent", "%", Better::lower, "share of the queries sent that were never answered, over the whole life of the load"},
    Metric{"sent", "queries", Better::neither, "queries sent by the load"},
    Metric{"completed", "queries", Better::neither, "queries answered, as the load counted them"},
    Metric{"lost", "queries", Better::lower, "queries never answered, as the load counted them"},
    Metric{"burst_lost", "queries", Better::lower, "queries lost in the opening burst, before the measuring window"},
    Metric{"window_lost_percent", "%", Better::lower, "share of the queries sent in the measuring window that were never answered"},
    Metric{"server_received", "queries", Better::neither, "queries that the server's own count has read"},
    Metric{"server_answered", "queries", Better::neither, "queries that the server's own count has answered"},
    Metric{"server_cpu_s", "s", Better::neither, "CPU time of all server processes, user and system"},
    Metric{"imbalance", "ratio", Better::lower, "queries of the busiest server process over the mean of all; 1 is even"},
    Metric{"rcvbuf_errors", "datagrams", Better::lower, "datagrams dropped because a socket's receive buffer was full"},
    Metric{"backlog_drops", "packets", Better::lower, "packets dropped because a CPU's backlog queue was full"},
    Metric{"time_squeeze", "times", Better::lower, "times the network softirq stopped with work left (budget used up)"},
    Metric{"steal_percent", "%", Better::lower, "CPU time that the hypervisor gave to somebody else"},
    Metric{"latency_avg_us", "us", Better::lower, "mean time from query to answer, as the load measured it"},
    Metric{"latency_max_us", "us", Better::lower, "longest time from query to answer, as the load measured it"},
    Metric{"unexplained_percent", "%", Better::lower, "share of the queries sent whose loss no counter names"},
    Metric{"memory_available_percent", "%", Better::neither, "memory that is still available on the machine (for abort_if)"},
    Metric{"consecutive_failures", "trials", Better::lower, "trials in a row, up to now, that failed or were invalid (for abort_if)"},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric* find_metric(std::string_view name) {
  const auto found = std::ranges::find(kMetrics, name, &Metric::name);
  return found == kMetrics.end() ? nullptr : &*found;
}

}  // namespace netsettle
