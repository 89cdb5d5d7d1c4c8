#pragma once
// A trial in which everything was right, to spoil one thing at a time.

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

/// 12 s of 10,000 queries a second, 200 of 120,000 lost in the server's socket buffer; two workers.
inline TrialEvidence good_evidence() {
  TrialEvidence evidence;
  evidence.warmup_s = 2;
  evidence.measure_s = 10;
  evidence.load_window = 500;
  LoadReport load{.complete = true,
                  .sent = 120'000,
                  .completed = 119'800,
                  .lost = 200,
                  .rcodes = {{"NOERROR", 119'800}},
                  .runtime_s = 12.0,
                  .qps = 9'983.0,
                  .latency_avg_s = 0.001,
                  .latency_max_s = 0.2};
  for (int second = 1; second <= 12; ++second)
    load.intervals.push_back({.time_s = 1'700'000'000.0 + second, .qps = second <= 2 ? 5'000.0 : 10'000.0});
  evidence.load = load;
  evidence.server = ServerReport{
      .workers = {{.process = 0, .received = 60'000, .answered = 60'000}, {.process = 1, .received = 59'800, .answered = 59'800}},
      .cpu_seconds = 20};
  evidence.counters.server.in = 119'800;
  evidence.counters.server.rcvbuf_errors = 200;
  evidence.counters.client.in = 119'800;
  evidence.counters.client.rcvbuf_errors = 0;
  evidence.counters.backlog_drops = 0;
  evidence.counters.idle_percent = 20;
  evidence.counters.softirq_percent = 10;
  evidence.counters.idle_by_cpu = {{0, 20}, {1, 20}};
  evidence.server_use = ProcessUse{.cpu_seconds = 8, .tasks = 2};
  evidence.load_use = ProcessUse{.cpu_seconds = 6, .tasks = 2};
  evidence.load_s = 12;
  evidence.server_cpus = 2;
  evidence.load_cpus = 1;
  evidence.counters.steal_percent = 0.5;
  evidence.counters.memory_available_percent = 60;
  return evidence;
}

}  // namespace netsettle::strategies
