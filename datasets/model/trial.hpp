#pragma once
// One trial as the record holds it, and what was seen while it ran.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/metric.hpp"

namespace netsettle {

// Stored values: append-only, never renumbered.
enum class Purpose { pilot = 1, baseline = 2, search = 3, confirm = 4, simplify = 5, manual = 6, profile = 7 };
enum class TrialState { planned = 1, applying = 2, warmup = 3, measuring = 4, done = 5, failed = 6, interrupted = 7 };
enum class Outcome { measured = 1, failed = 2, invalid = 3 };
enum class SettingStatus {
  ok = 1,
  same = 2,
  clamped = 3,
  refused = 4,
  absent = 5,
  eperm = 6,
  eacces = 7,
  einval = 8,
  eio = 9,
  enospc = 10,
  eoverflow = 11,
  drifted = 12
};

std::string_view to_text(Purpose purpose);
std::string_view to_text(TrialState state);
std::string_view to_text(Outcome outcome);
std::string_view to_text(SettingStatus status);

struct Reason {
  std::string code;    // "loss-above-limit", trial.md
  std::string detail;  // a sentence a person can act on
};

struct Verdict {
  Outcome outcome = Outcome::measured;
  bool suspect = false;
  std::vector<Reason> reasons;
};

/// One setting in one trial: requested / before / effective / at the end.
struct AppliedSetting {
  std::string setting;    // "sysctl.net.core.rmem_max", "server.processes"
  std::string target;     // path or mechanism
  std::string requested;  // "as-found" where the configuration leaves it alone
  std::string before;
  std::string effective;
  std::string at_end;
  SettingStatus status = SettingStatus::ok;
  int errno_value = 0;
};

struct Interval {
  double time_s = 0;  // end of the interval, seconds since the load's start (or epoch seconds as printed)
  double qps = 0;
};

/// What a load generator reported. Absent is absent.
struct LoadReport {
  bool complete = false;  // the final block was whole
  std::optional<std::int64_t> sent, completed, lost, interrupted;
  std::map<std::string, std::int64_t> rcodes;
  std::optional<double> runtime_s, qps;
  std::optional<double> latency_avg_s, latency_min_s, latency_max_s, latency_stddev_s;
  std::vector<Interval> intervals;
  bool first_interval_bogus = false;
  std::string version;
  std::int64_t timeout_lines = 0;
  std::vector<std::string> errors;  // "Error: …" lines
  std::map<std::string, std::int64_t> warnings;
};

struct WorkerCounts {
  int process = 0;
  int thread = 0;
  std::string cpus;  // the mask that was read back, as a list
  std::int64_t received = 0, answered = 0, malformed = 0, errors = 0;
};

/// The server's own counts, the second witness. Absent for a server that has none.
struct ServerReport {
  std::vector<WorkerCounts> workers;
  double cpu_seconds = 0;           // user + system, all processes, whole life
  std::int64_t receive_buffer = 0;  // granted, bytes; smallest of the sockets
};

/// Differences of kernel counters over the life of the load. Absent: the source did not exist.
struct CounterDeltas {
  // server side: UDP of the server's namespace and family
  std::optional<std::int64_t> server_in, server_out, server_rcvbuf_errors, server_mem_errors, server_no_ports, server_csum_errors,
      server_in_errors;
  std::optional<std::int64_t> server_sndbuf_errors;
  // client side
  std::optional<std::int64_t> client_in, client_out, client_rcvbuf_errors, client_sndbuf_errors;
  // whole machine
  std::optional<std::int64_t> backlog_drops, time_squeeze;
  std::map<int, std::int64_t> processed_by_cpu;                        // softnet column 1
  std::optional<double> steal_percent, idle_percent, softirq_percent;  // of all CPUs' time
  std::optional<double> memory_available_percent;
};

/// One text of raw output, kept compressed in the record: "load.stdout", "softnet.before", …
struct Artifact {
  std::string kind;
  std::string content;
};

enum class TrialFailure {
  none,
  setting_refused,
  server_start_failed,
  server_crashed,
  nothing_answered,
  load_failed,
  wrong_rcode,
  interrupted,
  internal
};

/// Everything seen in one trial; strategies/validity turns it into a Verdict and Measurements.
struct TrialEvidence {
  TrialFailure failure = TrialFailure::none;  // where the sequence broke off
  std::string failure_detail;
  std::vector<AppliedSetting> applied;
  std::optional<LoadReport> load;
  std::optional<ServerReport> server;
  CounterDeltas counters;
  std::vector<std::string> drifted;    // settings that were not at the end what they were at the start
  double warmup_s = 0, measure_s = 0;  // as requested
  double load_timeout_s = 1;
  std::int64_t load_window = 0;  // outstanding queries, all instances
  double clock_step_s = 0;       // wall minus monotonic over the load
  bool one_machine = true;       // client and server share this kernel: all losses can be named
  bool shared_counters = false;  // loopback: client and server counters are one
  std::vector<Artifact> artifacts;
};

/// A trial as read from the record.
struct Trial {
  std::int64_t id = 0;
  std::int64_t configuration_id = 0;
  Purpose purpose = Purpose::search;
  int block = 0;     // 1, 2, … over the whole study
  int position = 0;  // 0-based within the block
  int attempt = 1;
  TrialState state = TrialState::planned;
  std::uint64_t seed = 0;
  std::optional<Outcome> outcome;  // absent unless done or failed
  bool suspect = false;
  std::vector<Reason> reasons;
  Measurements measurements;
  std::int64_t started_us = 0, ended_us = 0;  // UTC
};

}  // namespace netsettle
