#include "strategies/validity/measurements.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/validity/judge.hpp"

namespace netsettle::strategies {
namespace {

template <typename Count>
std::optional<std::int64_t> sum_of_workers(const TrialEvidence& evidence, Count WorkerCounts::* count) {
  if (!evidence.server || evidence.server->workers.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const WorkerCounts& worker : evidence.server->workers) sum += worker.*count;
  return sum;
}

template <typename Number>
void put(Measurements& measurements, std::string_view name, const std::optional<Number>& value, double factor = 1) {
  if (value) measurements.emplace(name, static_cast<double>(*value) * factor);
}

void put_load(Measurements& measurements, const LoadReport& load) {
  constexpr double kMicroseconds = 1e6;
  put(measurements, "sent", load.sent);
  put(measurements, "completed", load.completed);
  put(measurements, "lost", load.lost);
  put(measurements, "latency_avg_us", load.latency_avg_s, kMicroseconds);
  put(measurements, "latency_max_us", load.latency_max_s, kMicroseconds);
  if (load.sent && load.lost && *load.sent > 0)
    measurements["lost_percent"] = 100.0 * static_cast<double>(*load.lost) / static_cast<double>(*load.sent);
}

void put_server(Measurements& measurements, const TrialEvidence& evidence) {
  put(measurements, "server_received", server_received(evidence));
  put(measurements, "server_answered", server_answered(evidence));
  if (const auto share = worker_share(evidence)) measurements["imbalance"] = share->imbalance;
  // By its own account, which is finer, or by the kernel's ticks over the load's life.
  const double cpu_seconds = evidence.server ? evidence.server->cpu_seconds : evidence.server_use ? evidence.server_use->cpu_seconds : 0;
  if (!(cpu_seconds > 0)) return;
  measurements["server_cpu_s"] = cpu_seconds;
  if (evidence.load && evidence.load->completed)
    measurements["qps_per_cpu_second"] = static_cast<double>(*evidence.load->completed) / cpu_seconds;
}

void put_counters(Measurements& measurements, const CounterDeltas& counters) {
  put(measurements, "rcvbuf_errors", counters.server.rcvbuf_errors);
  put(measurements, "backlog_drops", counters.backlog_drops);
  put(measurements, "time_squeeze", counters.time_squeeze);
  put(measurements, "steal_percent", counters.steal_percent);
  put(measurements, "memory_available_percent", counters.memory_available_percent);
}

}  // namespace

std::optional<std::int64_t> server_received(const TrialEvidence& evidence) { return sum_of_workers(evidence, &WorkerCounts::received); }

std::optional<std::int64_t> server_answered(const TrialEvidence& evidence) { return sum_of_workers(evidence, &WorkerCounts::answered); }

std::optional<WorkerShare> worker_share(const TrialEvidence& evidence) {
  const auto received = server_received(evidence);
  if (!received || *received <= 0) return std::nullopt;
  const auto& workers = evidence.server->workers;
  const auto [least, most] = std::ranges::minmax(workers, {}, &WorkerCounts::received);
  const double fair = static_cast<double>(*received) / static_cast<double>(workers.size());
  return WorkerShare{.workers = static_cast<int>(workers.size()),
                     .least = least.received,
                     .fair = fair,
                     .imbalance = static_cast<double>(most.received) / fair};
}

std::optional<double> unexplained_percent(const TrialEvidence& evidence) {
  const CounterDeltas& counters = evidence.counters;
  const bool both_ends = counters.server.rcvbuf_errors && counters.backlog_drops &&
                         (server_received(evidence) || (!evidence.shared_counters && counters.server.in && counters.server.out));
  const bool way_back =
      evidence.shared_counters ? counters.socket_drops && counters.server.in : counters.client.rcvbuf_errors && counters.client.in;
  if (!evidence.one_machine || !both_ends || !way_back) return std::nullopt;
  const auto ledger = loss_ledger(evidence);
  if (ledger.empty() || *evidence.load->sent <= 0) return std::nullopt;
  return 100.0 * std::abs(static_cast<double>(ledger.back().queries)) / static_cast<double>(*evidence.load->sent);
}

Measurements measure(const TrialEvidence& evidence) {
  Measurements measurements;
  if (evidence.load) put_load(measurements, *evidence.load);
  put_server(measurements, evidence);
  put_counters(measurements, evidence.counters);
  put(measurements, "unexplained_percent", unexplained_percent(evidence));
  return measurements;
}

}  // namespace netsettle::strategies
