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

/// One of the files (or ethtool values) that carry a setting.
struct AppliedFile {
  std::string path;  // or "ethtool -g eth0 rx", "irqbalance": what runners/settings calls a carrier
  std::string netns;
  std::string before, effective;  // canonical texts
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
  std::vector<AppliedFile> files;  // all that carry it; empty where the command line does
};

struct Interval {
  double time_s = 0;  // end of the interval, seconds since the load's start (or epoch seconds as printed)
  double qps = 0;
  // Queries reported as lost since the interval before: a query lost at time t is reported at t + timeout. dnsperf writes interval lines
  // and reports of loss to one stream in order, so the count needs no clock.
  std::int64_t timeouts_before = 0;
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
  std::optional<double> end_time_s;  // of the series' clock when the load stopped sending; absent where it does not say
  std::string version;
  std::int64_t timeout_lines = 0;
  std::string own_limit;            // how the generator says that it was at its own limit; empty: it does not
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
  std::int64_t unpinned = 0;        // tasks that were not on the CPU they were given
};

/// UDP of one network namespace and family, by the names of /proc/net/snmp.
struct UdpDeltas {
  std::optional<std::int64_t> in;             // datagrams that a program has read
  std::optional<std::int64_t> out;            // successful send calls
  std::optional<std::int64_t> no_ports;       // no matching socket
  std::optional<std::int64_t> in_errors;      // all errors below that concern receiving, and filters and malformed lengths
  std::optional<std::int64_t> rcvbuf_errors;  // a socket's receive buffer was full
  std::optional<std::int64_t> sndbuf_errors;  // a send failed for want of buffers, or the queueing discipline dropped it
  std::optional<std::int64_t> csum_errors, mem_errors;
};

/// One network interface.
struct LinkDeltas {
  std::optional<std::int64_t> rx_packets, tx_packets, rx_bytes, tx_bytes;
  std::optional<std::int64_t> carrier_changes;
  std::optional<std::int64_t> rx_dropped;  // as the interface counts: the backlog queue's drops are among them
  std::optional<std::int64_t> rx_missed;   // by the hardware: missed, FIFO and overrun errors
  std::optional<std::int64_t> tx_dropped;
  std::optional<std::int64_t> qdisc_drops;  // by the queueing discipline, all bands
};

/// Differences of kernel counters over the life of the load. Absent: the source did not exist.
struct CounterDeltas {
  UdpDeltas server, client;  // on loopback the same counters twice
  LinkDeltas server_link, client_link;
  std::optional<std::int64_t> socket_drops;     // of the server's own sockets (/proc/net/udp)
  std::optional<std::int64_t> conntrack_drops;  // connection tracking table full
  std::optional<std::int64_t> ip_discards;      // server's namespace, IpInDiscards
  // whole machine
  std::optional<std::int64_t> backlog_drops, flow_limit_drops, time_squeeze;  // softnet; flow_limit_drops are among backlog_drops
  std::map<int, std::int64_t> processed_by_cpu;                               // softnet column 1
  std::map<int, std::int64_t> net_rx_by_cpu;                                  // NET_RX softirqs
  std::map<std::string, std::map<int, std::int64_t>> queue_interrupts;        // action of the interface's vectors → CPU → count
  std::optional<double> steal_percent, idle_percent, softirq_percent;         // of all CPUs' time
  std::map<int, double> idle_by_cpu;                                          // percent of that CPU's time
  std::optional<double> memory_available_percent;
  std::optional<double> memory_stall_percent;  // of the time in which some task waited for memory (pressure stall information)
  std::optional<std::int64_t> throttles;       // thermal throttling events, all cores
  std::optional<double> cpu_mhz;               // mean of the CPUs, at the end
};

/// What the processes of one program used over the life of the load, threads and children included.
struct ProcessUse {
  double cpu_seconds = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  int tasks = 0;
  std::vector<std::string> strays;  // tasks whose CPUs are not those they were given: "thread 4711 may run on 0-3"
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

/// A socket of the server as the kernel sees it: what was granted, whatever was asked for.
struct SocketGrant {
  std::string local;                                 // "10.53.0.1:5300", "*:53"
  std::int64_t receive_buffer = 0, send_buffer = 0;  // bytes, with the kernel's bookkeeping
  std::int64_t drops = 0;                            // over the life of the load
};

/// Everything seen in one trial; strategies/validity turns it into a Verdict and Measurements.
struct TrialEvidence {
  TrialFailure failure = TrialFailure::none;  // where the sequence broke off
  std::string failure_detail;
  std::vector<AppliedSetting> applied;
  std::optional<LoadReport> load;
  std::optional<ServerReport> server;
  CounterDeltas counters;
  std::optional<ProcessUse> server_use, load_use;
  std::vector<SocketGrant> sockets;    // of the server; empty where `ss` is missing
  std::vector<std::string> drifted;    // settings that were not at the end what they were at the start
  double warmup_s = 0, measure_s = 0;  // as requested
  double load_timeout_s = 1;
  std::int64_t load_window = 0;        // outstanding queries, all instances
  int server_cpus = 0, load_cpus = 0;  // how many CPUs each may use; 0: unknown
  double load_s = 0;                   // wall time of the load's life
  std::optional<double> link_mbps;     // speed of the server's interface, where it has one
  std::optional<double> load_rate;     // queries per second that were asked for, all instances; absent: a closed loop
  double clock_step_s = 0;             // wall minus monotonic over the load
  bool one_machine = true;             // client and server share this kernel: all losses can be named
  bool shared_counters = false;        // loopback: client and server counters are one
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
  // The record or file that it was taken from, where it was not measured by this study: information for the search, never for a confirmation.
  std::optional<std::string> imported_from;
};

}  // namespace netsettle
